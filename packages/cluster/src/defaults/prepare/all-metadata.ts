/** All of the metadata that a client could change; newer kinds keep it on a write of the status. */
export const allMetadata = [
  'deletionTimestamp',
  'generation',
  'selfLink',
  'labels',
  'annotations',
  'finalizers',
  'ownerReferences',
] as const
