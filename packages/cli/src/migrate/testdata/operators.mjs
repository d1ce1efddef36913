// A module as users write it, in JavaScript because modules of packages have no default exports.
export { disks as default } from './disks.ts'
