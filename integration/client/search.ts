export {};
console.log(1);
