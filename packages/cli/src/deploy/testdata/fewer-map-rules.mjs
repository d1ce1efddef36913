export { sized as default } from './map-rules.mjs'
