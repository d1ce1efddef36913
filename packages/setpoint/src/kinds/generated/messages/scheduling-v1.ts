// Written by scripts/generate-kinds from Kubernetes 1.36.3; edits are lost. Run `npm run generate:kinds`.

import type { MessageTable } from '../../../protobuf/index.ts'
import * as metaV1 from './meta-v1.ts'

export const PriorityClass: MessageTable = ['metadata:!m value:!i globalDefault:b description preemptionPolicy:?', metaV1.ObjectMeta]
