/**
 * object/: a Kubernetes object as the server handles it: plain JSON with known metadata.
 *
 * Everything above uses these few accessors instead of casts of its own. They are views, not copies:
 * what `metadataOf` returns is the object's own metadata, and changing it changes the object.
 */
export { isDeleting, keyOf, metadataOf, nameOf, namespaceOf } from './kube-object.ts'
export { formatTime } from './format-time.ts'
