// Written by scripts/generate-kinds from Kubernetes 1.36.3; edits are lost. Run `npm run generate:kinds`.

import type { MessageTable } from '../../../protobuf/index.ts'
import * as metaV1 from './meta-v1.ts'

export const CertificateSigningRequest: MessageTable = ['metadata:!m spec:!m status:!m', metaV1.ObjectMeta, ['request:!y username uid groups:* usages:* extra:%l signerName:! expirationSeconds:?i'], ['conditions:*m certificate:y', ['type:! reason message lastUpdateTime:!t lastTransitionTime:!t status:!']]]
