// Written by scripts/generate-kinds from Kubernetes 1.36.3; edits are lost. Run `npm run generate:kinds`.

import type { MessageTable } from '../../../protobuf/index.ts'
import * as metaV1 from './meta-v1.ts'

export const APIService: MessageTable = ['metadata:!m spec:!m status:!m', metaV1.ObjectMeta, ['service:?m group version insecureSkipTLSVerify:b caBundle:y 7groupPriorityMinimum:!i versionPriority:!i', ['namespace name port:?i']], ['conditions:*m', ['type:! status:! lastTransitionTime:!t reason message']]]
