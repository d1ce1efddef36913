/** TokenRequests with the answers of a 1.36 server. */
import { expect, test } from 'vitest'
import { replay } from '../../admission/testdata/replay.ts'

const place = '/api/v1/namespaces/admission'

/** The answer to a TokenRequest: the bound object, or the refusal. */
async function answerTo(body: object): Promise<unknown> {
  const container = { name: 'c', image: 'c' }
  const pod = (serviceAccountName: string) => ({
    metadata: { name: `of-${serviceAccountName}` },
    spec: { serviceAccountName, containers: [container] },
  })
  const post = (path: string, sent: object) => ({ method: 'POST', path, body: sent, code: 201 })
  const outcomes = await replay([
    post(`${place}/serviceaccounts`, { metadata: { name: 'other' } }),
    post(`${place}/pods`, pod('default')),
    post(`${place}/pods`, pod('other')),
    post(`${place}/serviceaccounts/default/token`, body),
  ])
  const { answer } = outcomes.at(-1) ?? {}
  const { message, spec } = answer as { message?: string; spec?: { boundObjectRef: unknown } }
  return message ?? spec?.boundObjectRef
}

const boundTo = (reference: object) => ({ spec: { boundObjectRef: reference } })

test.each([
  [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'x' }, 'apps/v1, Kind=Deployment'],
  [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'x' }, '/v1, Kind=ConfigMap'],
  [{ kind: 'ConfigMap', name: 'x' }, '/, Kind=ConfigMap'],
])('refuses to bind a token to %j', async (reference, type) => {
  expect(await answerTo(boundTo(reference))).toBe(`cannot bind token to object of type ${type}`)
})

test.each([
  ['Secret', 'secrets'],
  ['Node', 'nodes'],
  ['Pod', 'pods'],
])('refuses to bind a token to an absent %s', async (kind, plural) => {
  const reference = { apiVersion: 'v1', kind, name: 'absent' }
  expect(await answerTo(boundTo(reference))).toBe(`${plural} "absent" not found`)
})

test('binds a token only to a pod of its service account', async () => {
  const own = { kind: 'Pod', apiVersion: 'v1', name: 'of-default' }
  expect(await answerTo(boundTo(own))).toEqual(own)
  expect(await answerTo(boundTo({ ...own, name: 'of-other' }))).toBe(
    'cannot bind token for serviceaccount "default" to pod running with different serviceaccount name.',
  )
  expect(await answerTo(boundTo({ ...own, uid: 'u' }))).toContain(
    'Operation cannot be fulfilled on Pod "of-default": the UID in the bound object reference (u)',
  )
})

test('refuses the name of another account and an invalid lifetime', async () => {
  expect(await answerTo({ metadata: { name: 'other' }, spec: {} })).toBe(
    'TokenRequest.authentication.k8s.io "default" is invalid: metadata.name: Invalid value: "other": must match the service account name if specified',
  )
  expect(await answerTo({ spec: { expirationSeconds: 9_999_999_999 } })).toBe(
    'TokenRequest.authentication.k8s.io "" is invalid: spec.expirationSeconds: Invalid value: 9999999999: may not specify a duration larger than 2^32 seconds',
  )
})
