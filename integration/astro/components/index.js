export { default as CarrelSearch } from './CarrelSearch.astro';
