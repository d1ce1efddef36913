/**
 * patch/: from a live object and a desired one to the changes between them. Pure.
 *
 * `operator/write` calls it in every reconcile of every child: `diffObjects` finds the differences
 * between the live and the desired object, so that a steady state needs no request; `contentHash`
 * says whether the desired state has changed since it was written.
 *
 * Fields that the server or other clients added are not changed: maps may have more entries, and
 * lists that merge by key may have more items.
 */
export { contentHash, type ContentHash } from './content-hash.ts'
export { pointerFields, pointerToken } from './json-pointer.ts'
export { patchOf, diffObjects, isCoveredBy, type ObjectDiff } from './diff-objects.ts'
export { patchedFields } from './patched-fields.ts'
