/**
 * patch/: the three patch types that are not apply.
 *
 * api/ calls one of them with the live object in the version of the request and treats the result like
 * the body of a PUT. They promise the results of a real server (1.36), its order of merged lists and
 * its answers to patches that make no sense; tests hold them to cases recorded from one. Pure: the
 * given object and patch are never changed, and a patch applies as a whole or not at all.
 */
export { applyJsonPatch } from './json-patch.ts'
export { applyMergePatch } from './merge-patch.ts'
export { goPlain } from './strategic-errors.ts'
export { applyStrategicMergePatch } from './strategic-merge-patch.ts'
