/**
 * patch/: the three patch types other than server-side apply.
 *
 * api/ calls one of them with the live object in the version of the request and treats the result
 * like the body of a PUT. They return the results of a real server (1.36), including the order of
 * merged lists and the errors for invalid patches. Tests compare them with recorded cases. They are
 * pure: the object and the patch are never modified, and a patch is applied completely or not at
 * all.
 */
export { applyJsonPatch, patchDocument } from './json-patch.ts'
export { patchFailure } from './patch-failure.ts'
export { applyMergePatch, withoutNullFields } from './merge-patch.ts'
export { goPlain } from './strategic-errors.ts'
export { applyStrategicMergePatch } from './strategic-merge-patch.ts'
