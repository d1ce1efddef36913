// Written by scripts/generate-kinds from Kubernetes 1.36.3; edits are lost. Run `npm run generate:kinds`.

import type { MessageTable } from '../../../protobuf/index.ts'
import * as metaV1 from './meta-v1.ts'

export const Lease: MessageTable = ['metadata:!m spec:!m', metaV1.ObjectMeta, ['holderIdentity:? leaseDurationSeconds:?i acquireTime:?u renewTime:?u leaseTransitions:?i strategy:? preferredHolder:?']]
