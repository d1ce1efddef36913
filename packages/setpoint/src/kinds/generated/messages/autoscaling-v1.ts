// Written by scripts/generate-kinds from Kubernetes 1.36.3; edits are lost. Run `npm run generate:kinds`.

import type { MessageTable } from '../../../protobuf/index.ts'
import * as metaV1 from './meta-v1.ts'

export const HorizontalPodAutoscaler: MessageTable = ['metadata:!m spec:!m status:!m', metaV1.ObjectMeta, ['scaleTargetRef:!m minReplicas:?i maxReplicas:!i targetCPUUtilizationPercentage:?i', ['kind:! name:! apiVersion']], ['observedGeneration:?i lastScaleTime:?t currentReplicas:!i desiredReplicas:!i currentCPUUtilizationPercentage:?i']]
