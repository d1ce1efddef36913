// Written by scripts/generate-kinds from Kubernetes 1.36.3; edits are lost. Run `npm run generate:kinds`.

import type { MessageTable } from '../../../protobuf/index.ts'
import * as coreV1 from './core-v1.ts'
import * as metaV1 from './meta-v1.ts'

export const EndpointSlice: MessageTable = ['metadata:!m endpoints:!*m ports:!*m addressType:!', metaV1.ObjectMeta, ['addresses:!* conditions:!m hostname:? targetRef:?m deprecatedTopology:% nodeName:? zone:? hints:?m', ['ready:?b serving:?b terminating:?b'], coreV1.ObjectReference, ['forZones:*m forNodes:*m', ['name:!'], ['name:!']]], ['name:? protocol:? port:?i appProtocol:?']]
