import type { JsonObject } from 'setpoint/schema'
import type { Scenario, Step } from '../scenario.ts'

const kinds = ['CertificateSigningRequest']
const target = 'CertificateSigningRequest/{ns}-request'

/** Certificate requests for the subjects that signers require. Their private key was discarded. */
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

/** CertificateSigningRequests: approval and signing. */
export const certificateScenarios: readonly Scenario[] = [
  {
    name: 'signs a client request that a user approves',
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
    name: 'signs for the requested duration',
    kinds,
    steps: [
      create('client', client, { expirationSeconds: 7200 }),
      decide('Approved'),
      signed,
      { read: 'signed' },
    ],
  },
  {
    name: 'does not sign a denied request',
    kinds,
    steps: [create('client', client), decide('Denied'), { read: 'denied' }],
  },
  {
    name: 'fails a request with usages that the signer does not allow',
    kinds,
    steps: [
      create('client', client, { usages: ['server auth'] }),
      decide('Approved'),
      { read: 'failed' },
    ],
  },
  {
    name: 'approves the request of a node automatically',
    kinds,
    steps: [create('kubelet', kubelet), signed, { read: 'signed' }],
  },
  {
    name: 'does not sign a kubelet request with another subject',
    kinds,
    steps: [create('client', kubelet), decide('Approved'), { read: 'failed' }],
  },
  {
    name: 'signs a serving request that a user approves',
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
    name: 'ignores an approved request of an unknown signer',
    kinds,
    steps: [create('client', 'example.com/other'), decide('Approved'), { read: 'approved' }],
  },
]
