// Written by scripts/generate-kinds from Kubernetes 1.36.3; edits are lost. Run `npm run generate:kinds`.

import * as messages from './messages/networking-v1.ts'
import { defineKind, type ExactKind } from '../define-kind.ts'
import type { StoredMetadata } from '../metadata.ts'
import type { TypedLocalObjectReference } from './core-v1.ts'
import type { Condition, IntOrString, LabelSelector } from './meta-v1.ts'

export interface HTTPIngressPath {
  backend: IngressBackend
  path?: string
  pathType: 'Exact' | 'ImplementationSpecific' | 'Prefix'
}

export interface HTTPIngressRuleValue {
  paths: HTTPIngressPath[]
}

/** An address taken from a ServiceCIDR. */
export interface IPAddress {
  apiVersion: 'networking.k8s.io/v1'
  kind: 'IPAddress'
  metadata: StoredMetadata<'Cluster'>
  spec: IPAddressSpec
}

export const IPAddress: ExactKind<IPAddress> = /* @__PURE__ */ defineKind<IPAddress>({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'IPAddress',
  plural: 'ipaddresses',
  singular: 'ipaddress',
  shortNames: ['ip'],
  scope: 'Cluster',
  protobuf: messages.IPAddress,
})

export interface IPAddressSpec {
  parentRef: ParentReference
}

export interface IPBlock {
  cidr: string
  except?: string[]
}

/** Routes HTTP from outside to Services by host and path. */
export interface Ingress {
  apiVersion: 'networking.k8s.io/v1'
  kind: 'Ingress'
  metadata: StoredMetadata<'Namespaced'>
  spec: IngressSpec
  status?: IngressStatus
}

export const Ingress: ExactKind<Ingress> = /* @__PURE__ */ defineKind<Ingress>({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'Ingress',
  plural: 'ingresses',
  singular: 'ingress',
  shortNames: ['ing'],
  scope: 'Namespaced',
  subresources: ['status'],
  protobuf: messages.Ingress,
})

export interface IngressBackend {
  resource?: TypedLocalObjectReference
  service?: IngressServiceBackend
}

/** Names the controller that implements some Ingresses. */
export interface IngressClass {
  apiVersion: 'networking.k8s.io/v1'
  kind: 'IngressClass'
  metadata: StoredMetadata<'Cluster'>
  spec: IngressClassSpec
}

export const IngressClass: ExactKind<IngressClass> = /* @__PURE__ */ defineKind<IngressClass>({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'IngressClass',
  plural: 'ingressclasses',
  singular: 'ingressclass',
  scope: 'Cluster',
  protobuf: messages.IngressClass,
})

export interface IngressClassParametersReference {
  kind: string
  apiGroup?: string
  name: string
  namespace?: string
  scope?: string | null
}

export interface IngressClassSpec {
  controller?: string
  parameters?: IngressClassParametersReference
}

export interface IngressLoadBalancerIngress {
  hostname?: string
  ip?: string
  ports?: IngressPortStatus[]
}

export interface IngressLoadBalancerStatus {
  ingress?: IngressLoadBalancerIngress[]
}

export interface IngressPortStatus {
  error?: string
  port: number
  protocol: 'SCTP' | 'TCP' | 'UDP'
}

export interface IngressRule {
  host?: string
  http?: HTTPIngressRuleValue
}

export interface IngressServiceBackend {
  name: string
  port?: ServiceBackendPort
}

export interface IngressSpec {
  defaultBackend?: IngressBackend
  ingressClassName?: string
  rules?: IngressRule[]
  tls?: IngressTLS[]
}

export interface IngressStatus {
  loadBalancer?: IngressLoadBalancerStatus
}

export interface IngressTLS {
  hosts?: string[]
  secretName?: string
}

/** Allows traffic to and from pods; once a pod is selected, the rest is denied. */
export interface NetworkPolicy {
  apiVersion: 'networking.k8s.io/v1'
  kind: 'NetworkPolicy'
  metadata: StoredMetadata<'Namespaced'>
  spec: NetworkPolicySpec
}

export const NetworkPolicy: ExactKind<NetworkPolicy> = /* @__PURE__ */ defineKind<NetworkPolicy>({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  plural: 'networkpolicies',
  singular: 'networkpolicy',
  shortNames: ['netpol'],
  scope: 'Namespaced',
  protobuf: messages.NetworkPolicy,
})

export interface NetworkPolicyEgressRule {
  ports?: NetworkPolicyPort[]
  to?: NetworkPolicyPeer[]
}

export interface NetworkPolicyIngressRule {
  from?: NetworkPolicyPeer[]
  ports?: NetworkPolicyPort[]
}

export interface NetworkPolicyPeer {
  ipBlock?: IPBlock
  namespaceSelector?: LabelSelector
  podSelector?: LabelSelector
}

export interface NetworkPolicyPort {
  endPort?: number
  port?: IntOrString
  protocol?: 'SCTP' | 'TCP' | 'UDP'
}

export interface NetworkPolicySpec {
  egress?: NetworkPolicyEgressRule[]
  ingress?: NetworkPolicyIngressRule[]
  podSelector?: LabelSelector
  policyTypes?: ('Egress' | 'Ingress')[]
}

export interface ParentReference {
  group?: string
  name: string
  namespace?: string
  resource: string
}

export interface ServiceBackendPort {
  name?: string
  number?: number
}

/** A range that Service addresses are taken from. */
export interface ServiceCIDR {
  apiVersion: 'networking.k8s.io/v1'
  kind: 'ServiceCIDR'
  metadata: StoredMetadata<'Cluster'>
  spec: ServiceCIDRSpec
  status?: ServiceCIDRStatus
}

export const ServiceCIDR: ExactKind<ServiceCIDR> = /* @__PURE__ */ defineKind<ServiceCIDR>({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'ServiceCIDR',
  plural: 'servicecidrs',
  singular: 'servicecidr',
  scope: 'Cluster',
  subresources: ['status'],
  protobuf: messages.ServiceCIDR,
})

export interface ServiceCIDRSpec {
  cidrs?: string[]
}

export interface ServiceCIDRStatus {
  conditions?: Condition[]
}
