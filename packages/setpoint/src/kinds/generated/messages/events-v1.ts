// Written by scripts/generate-kinds from Kubernetes 1.36.3; edits are lost. Run `npm run generate:kinds`.

import type { MessageTable } from '../../../protobuf/index.ts'
import * as coreV1 from './core-v1.ts'
import * as metaV1 from './meta-v1.ts'

export const Event: MessageTable = ['metadata:!m eventTime:!u series:?m reportingController reportingInstance action reason regarding:!m related:?m note type deprecatedSource:!m deprecatedFirstTimestamp:!t deprecatedLastTimestamp:!t deprecatedCount:i', metaV1.ObjectMeta, ['count:!i lastObservedTime:!u'], coreV1.ObjectReference, coreV1.ObjectReference, coreV1.EventSource]
