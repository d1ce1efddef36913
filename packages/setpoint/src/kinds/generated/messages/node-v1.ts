// Written by scripts/generate-kinds from Kubernetes 1.36.3; edits are lost. Run `npm run generate:kinds`.

import type { MessageTable } from '../../../protobuf/index.ts'
import * as coreV1 from './core-v1.ts'
import * as metaV1 from './meta-v1.ts'

export const RuntimeClass: MessageTable = ['metadata:!m handler:! overhead:?m scheduling:?m', metaV1.ObjectMeta, ['podFixed:%q'], ['nodeSelector:% tolerations:*m', coreV1.Toleration]]
