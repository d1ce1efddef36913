// Written by scripts/generate-kinds from Kubernetes 1.36.3; edits are lost. Run `npm run generate:kinds`.

import type { ListTypes } from '../../list-types.ts'
import { ObjectMeta } from './meta-v1.ts'

export const HorizontalPodAutoscalerSpecV1: ListTypes = {
  scaleTargetRef: { atomic: true },
}

export const HorizontalPodAutoscalerV1: ListTypes = {
  metadata: { fields: ObjectMeta },
  spec: { fields: HorizontalPodAutoscalerSpecV1 },
}

export const listTypes: Readonly<Record<string, ListTypes>> = {
  HorizontalPodAutoscaler: HorizontalPodAutoscalerV1,
}
