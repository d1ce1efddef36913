/** The counterpart of Kopf's examples/17-admission. */
import * as z from 'zod'
import { defineResource, operator, problem } from 'setpoint'

export const Example = defineResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Example',
  spec: z.looseObject({ field: z.string().optional(), injected: z.int32().optional() }),
  status: z.looseObject({ field: z.string().optional() }),
})

export const examples = operator(Example)
  .validate(({ spec, status }, context) => {
    if (status?.field !== spec.field) context.warn('status.field differs from spec.field')
    const isRefused = spec.field === 'not-allowed' || (spec.field === 'wrong' && !context.dryRun)
    return isRefused ? [problem('spec.field', 'choose another value')] : []
  })
  .validate(
    function statusFollows({ spec, status }) {
      return status?.field === spec.field ? [] : [problem('status.field', 'must be spec.field')]
    },
    { subresource: 'status', operations: ['UPDATE'] },
  )
  .validate(function authenticates(_, { caller: { headers, certificate }, warn }) {
    warn(`the review comes from ${headers['user-agent'] ?? 'an unknown client'}`)
    const names = certificate?.subject['CN'] ?? []
    warn(
      certificate === undefined ? 'it has no certificate' : `its certificate is of ${names.join()}`,
    )
  })
  .mutate((example) => void (example.spec.injected = 123), {
    objectSelector: { somelabel: 'somevalue' },
  })
