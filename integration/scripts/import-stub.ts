// Replaces `import()` where there are no modules: pages begin with a stub that queues requests, and the bundle of all the site's modules,
// deferred as they were, answers them.

/** Name of the function that pages call instead of `import`. */
export const importName = '__carrel_import';

/** First script of a page that has modules. */
export const stub = `${importName}=function(a){return new Promise(function(y,n){${importName}.queue.push([a,y,n])})};${importName}.queue=[]`;

/** The start of the bundle, with the functions that its modules call: those of `urlFunctions`, and `import()` of computed names. */
export function runtime(base: string): string {
  return `if(!${importName}.queue)return;
${urlFunctions(base)}let __carrel_modules;
const __carrel_load=(a,file)=>{
const known=__carrel_modules[a];
if(known)return known();
const url=__carrel_address(a,file).href,inside=url.startsWith(__carrel_root)&&__carrel_modules["/"+decodeURIComponent(url.slice(__carrel_root.length).split(/[?#]/)[0])];
return inside?inside():/^file:/.test(url)?Promise.reject(new TypeError("There is no module "+url)):import(url)};
`;
}

/**
 * What modules call in a script of the `_carrel` folder: URLs of the site's files, `import.meta`, and the stylesheets of a module. `base` is what
 * root-absolute URLs of the site begin with.
 */
export function urlFunctions(base: string): string {
  return `const __carrel_root=new URL("..",document.currentScript.src).href,__carrel_base=${JSON.stringify(base)};
const __carrel_path=a=>a.startsWith(__carrel_base)?a.slice(__carrel_base.length):a.slice(1);
const __carrel_address=(a,file)=>{a=String(a);return /^[/](?![/])/.test(a)?new URL(__carrel_path(a),__carrel_root):new URL(a,file===undefined?document.baseURI:__carrel_root+file)};
const __carrel_meta=file=>({url:__carrel_address("",file).href,env:{BASE_URL:__carrel_base,MODE:"production",PROD:true,DEV:false,SSR:false},resolve:a=>__carrel_address(a,file).href});
const __carrel_preload=(load,files,importer)=>Promise.all((files||[]).filter(a=>/[.]css(?:[?#]|$)/.test(a)).map(a=>{
const {href}=importer?new URL(a,importer):__carrel_address(/^[a-z]+:|^[/]/.test(a)?a:"/"+a);
if([...document.querySelectorAll("link[rel=stylesheet]")].some(l=>l.href===href))return;
return new Promise(done=>{const l=document.createElement("link");l.rel="stylesheet";l.href=href;l.onload=l.onerror=done;document.head.append(l)})})).then(load).catch(error=>{
const event=new Event("vite:preloadError",{cancelable:true});event.payload=error;dispatchEvent(event);if(!event.defaultPrevented)throw error});
`;
}

/** The end of the bundle: from here on modules are available, and queued requests are answered. */
export const start = `const __carrel_waiting=${importName}.queue;
globalThis.${importName}=a=>__carrel_load(a);
for(const[a,y,n]of __carrel_waiting)__carrel_load(a).then(y,n);
`;
