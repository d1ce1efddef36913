import type { JsonObject } from 'setpoint/schema'
import type { Scenario, Step } from '../scenario.ts'

const kinds = ['CertificateSigningRequest']
const target = 'CertificateSigningRequest/{ns}-request'

/** Requests of a key that nobody has any more, for the subjects that signers ask for. */
const requests = {
  client: [
    'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlIY01JR0RBZ0VBTUNFeER6QU5CZ05WQkFvTUJu',
    'UmxZVzB0WVRFT01Bd0dBMVVFQXd3RmNtOWliM1F3V1RBVApCZ2NxaGtqT1BRSUJCZ2dxaGtqT1BRTUJCd05DQUFT',
    'dGpVbXRYNDdiblEvcmJFOTU5TzVaS3pDQ0ZQc0RleHdNCmxDZk1MNkJRKzhaZXFWQUZnN1ZpWUdYSnF2bERTdXc2',
    'L3Qxb1NnWWhRRk1CS1J1TXBFWGdvQUF3Q2dZSUtvWkkKemowRUF3SURTQUF3UlFJaEFOM1FLZk1EMzVMb3VOVTZv',
    'c3FsV3RvR2lUbWd6OExQVDk1cXVNTk5EY1dWQWlCNwpCaFZzWGFpaEluRWo0YlQ4dTh0N2F1Q01tZHJMN05nNmhj',
    'a1E5b0h2S0E9PQotLS0tLUVORCBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0K',
  ].join(''),
  kubelet: [
    'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlIdk1JR1dBZ0VBTURReEZUQVRCZ05WQkFvTURI',
    'TjVjM1JsYlRwdWIyUmxjekViTUJrR0ExVUVBd3dTYzNsegpkR1Z0T201dlpHVTZkMjl5YTJWeU1Ga3dFd1lIS29a',
    'SXpqMENBUVlJS29aSXpqMERBUWNEUWdBRXJZMUpyVitPCjI1MFA2MnhQZWZUdVdTc3dnaFQ3QTNzY0RKUW56Qytn',
    'VVB2R1hxbFFCWU8xWW1CbHlhcjVRMHJzT3Y3ZGFFb0cKSVVCVEFTa2JqS1JGNEtBQU1Bb0dDQ3FHU000OUJBTUNB',
    'MGdBTUVVQ0lRQ3JHSHJsK1NrZ05rZ0QrRTBBbHBKRwpXd25rS3dmNG5jZC9hK0F5SVpWM2NnSWdhOHZPRkw3Slhv',
    'NUIrMlZCVzhRVkVKSUE5SUo0cGVSdmluUUMxMmhXCjM1UT0KLS0tLS1FTkQgQ0VSVElGSUNBVEUgUkVRVUVTVC0t',
    'LS0tCg==',
  ].join(''),
  serving: [
    'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlJQkdUQ0J3QUlCQURBME1SVXdFd1lEVlFRS0RB',
    'eHplWE4wWlcwNmJtOWtaWE14R3pBWkJnTlZCQU1NRW5ONQpjM1JsYlRwdWIyUmxPbmR2Y210bGNqQlpNQk1HQnlx',
    'R1NNNDlBZ0VHQ0NxR1NNNDlBd0VIQTBJQUJLMk5TYTFmCmp0dWREK3RzVDNuMDdsa3JNSUlVK3dON0hBeVVKOHd2',
    'b0ZEN3hsNnBVQVdEdFdKZ1pjbXErVU5LN0RyKzNXaEsKQmlGQVV3RXBHNHlrUmVDZ0tqQW9CZ2txaGtpRzl3MEJD',
    'UTR4R3pBWk1CY0dBMVVkRVFRUU1BNkNCbmR2Y210bApjb2NFd0FBQ0FUQUtCZ2dxaGtqT1BRUURBZ05JQURCRkFp',
    'QXlTUHpLcUR5SGNkMFlMRVRKYWxYYWtjK0s0ZWQwCmFwbHVYcUhJODJvcE9nSWhBTXEzeGkrRDFXZC9RK1Q3Z1ZS',
    'R2tSR0hzY2QyQ1dJVFAyOEwvd3UvNFQwNgotLS0tLUVORCBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0K',
  ].join(''),
}

const create = (
  request: keyof typeof requests,
  signerName: string,
  spec: JsonObject = {},
): Step => ({
  create: {
    apiVersion: 'certificates.k8s.io/v1',
    kind: 'CertificateSigningRequest',
    metadata: { name: '{ns}-request' },
    spec: {
      request: requests[request],
      signerName,
      usages: ['digital signature', 'key encipherment', 'client auth'],
      ...spec,
    },
  },
})
const decide = (type: 'Approved' | 'Denied'): Step => ({
  patch: target,
  subresource: 'approval',
  with: {
    status: {
      conditions: [{ type, status: 'True', reason: 'Scenario', message: 'A person decided.' }],
    },
  },
})
const signed: Step = { until: target, path: 'status.certificate' }
const client = 'kubernetes.io/kube-apiserver-client'
const kubelet = 'kubernetes.io/kube-apiserver-client-kubelet'

/** Requests for certificates: who approves, who signs, and what is signed. */
export const certificateScenarios: readonly Scenario[] = [
  {
    name: 'a request for a client is signed when a person approves',
    kinds,
    steps: [
      create('client', client),
      { read: 'waiting' },
      decide('Approved'),
      signed,
      { read: 'signed' },
    ],
  },
  {
    name: 'a time can be asked for',
    kinds,
    steps: [
      create('client', client, { expirationSeconds: 7200 }),
      decide('Approved'),
      signed,
      { read: 'signed' },
    ],
  },
  {
    name: 'a denied request is not signed',
    kinds,
    steps: [create('client', client), decide('Denied'), { read: 'denied' }],
  },
  {
    name: 'a request with uses that the signer does not allow fails',
    kinds,
    steps: [
      create('client', client, { usages: ['server auth'] }),
      decide('Approved'),
      { read: 'failed' },
    ],
  },
  {
    name: 'a node asks for its certificate and it is approved by itself',
    kinds,
    steps: [create('kubelet', kubelet), signed, { read: 'signed' }],
  },
  {
    name: 'a subject that is no node is not signed as one',
    kinds,
    steps: [create('client', kubelet), decide('Approved'), { read: 'failed' }],
  },
  {
    name: 'a certificate to serve is signed when a person approves',
    kinds,
    steps: [
      create('serving', 'kubernetes.io/kubelet-serving', {
        usages: ['digital signature', 'key encipherment', 'server auth'],
      }),
      { read: 'waiting' },
      decide('Approved'),
      { read: 'decided' },
    ],
  },
  {
    name: 'a signer that nobody is leaves an approved request alone',
    kinds,
    steps: [create('client', 'example.com/other'), decide('Approved'), { read: 'approved' }],
  },
]
