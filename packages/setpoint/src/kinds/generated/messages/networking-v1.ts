// Written by scripts/generate-kinds from Kubernetes 1.36.3; edits are lost. Run `npm run generate:kinds`.

import type { MessageTable } from '../../../protobuf/index.ts'
import * as coreV1 from './core-v1.ts'
import * as metaV1 from './meta-v1.ts'

export const IngressClass: MessageTable = ['metadata:!m spec:!m', metaV1.ObjectMeta, ['controller parameters:?m', ['apiGroup:? kind:! name:! scope:!? namespace:?']]]

export const IngressBackend: MessageTable = ['3resource:?m service:?m', coreV1.TypedLocalObjectReference, ['name:! port:!m', ['name number:i']]]

export const Ingress: MessageTable = ['metadata:!m spec:!m status:!m', metaV1.ObjectMeta, ['defaultBackend:?m tls:*m rules:*m ingressClassName:?', IngressBackend, ['hosts:* secretName'], ['host ingressRuleValue:^m', ['http:?m', ['paths:!*m', ['path backend:!m pathType:!?', IngressBackend]]]]], ['loadBalancer:!m', ['ingress:*m', ['ip hostname 4ports:*m', ['port:!i protocol:! error:?']]]]]

export const IPAddress: MessageTable = ['metadata:!m spec:!m', metaV1.ObjectMeta, ['parentRef:?m', ['group resource namespace name']]]

export const NetworkPolicyPort: MessageTable = ['protocol:? port:?o endPort:?i']

export const NetworkPolicyPeer: MessageTable = ['podSelector:?m namespaceSelector:?m ipBlock:?m', metaV1.LabelSelector, metaV1.LabelSelector, ['cidr:! except:*']]

export const NetworkPolicy: MessageTable = ['metadata:!m spec:!m', metaV1.ObjectMeta, ['podSelector:!m ingress:*m egress:*m policyTypes:*', metaV1.LabelSelector, ['ports:*m from:*m', NetworkPolicyPort, NetworkPolicyPeer], ['ports:*m to:*m', NetworkPolicyPort, NetworkPolicyPeer]]]

export const ServiceCIDR: MessageTable = ['metadata:!m spec:!m status:!m', metaV1.ObjectMeta, ['cidrs:*'], ['conditions:*m', metaV1.Condition]]
