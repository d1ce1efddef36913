/** The metadata that a client can change; newer kinds restore it on a write of the status. */
export const allMetadata = [
  'deletionTimestamp',
  'generation',
  'selfLink',
  'labels',
  'annotations',
  'finalizers',
  'ownerReferences',
] as const
