// Written by scripts/generate-kinds from Kubernetes 1.36.3; edits are lost. Run `npm run generate:kinds`.

import type { MessageTable } from '../../../protobuf/index.ts'
import * as metaV1 from './meta-v1.ts'

export const PodDisruptionBudget: MessageTable = ['metadata:!m spec:!m status:!m', metaV1.ObjectMeta, ['minAvailable:?o selector:?m maxUnavailable:?o unhealthyPodEvictionPolicy:?', metaV1.LabelSelector], ['observedGeneration:i disruptedPods:%t disruptionsAllowed:!i currentHealthy:!i desiredHealthy:!i expectedPods:!i conditions:*m', metaV1.Condition]]
