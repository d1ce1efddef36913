/** Changes of the mandatory flow schemas and priority levels, with the answers of a 1.36 server. */
import type { JsonObject } from 'setpoint/schema'
import { expect, test } from 'vitest'
import { flowSchemaRules, priorityLevelRules } from './flow-schema-rules.ts'

const exempt = {
  metadata: { name: 'exempt' },
  spec: {
    priorityLevelConfiguration: { name: 'exempt' },
    matchingPrecedence: 1,
    rules: [
      {
        subjects: [{ kind: 'Group', group: { name: 'system:masters' } }],
        nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
      },
    ],
  },
}

const texts = (errors: readonly { field: string; message: string }[] | undefined): string[] =>
  (errors ?? []).map(({ field, message }) => `${field}: ${message}`)

test('refuses changes of a mandatory flow schema', () => {
  const update = (object: JsonObject): string[] =>
    texts(flowSchemaRules.update({ object, old: exempt }))
  expect(update(exempt)).toEqual([])
  expect(update({ ...exempt, spec: { ...exempt.spec, matchingPrecedence: 5 } })).toEqual([
    `spec: Invalid value: {"PriorityLevelConfiguration":{"Name":"exempt"},"MatchingPrecedence":5,"DistinguisherMethod":null,"Rules":[{"Subjects":[{"Kind":"Group","User":null,"Group":{"Name":"system:masters"},"ServiceAccount":null}],"ResourceRules":null,"NonResourceRules":[{"Verbs":["*"],"NonResourceURLs":["*"]}]}]}: spec of 'exempt' must equal the fixed value`,
  ])
})

test('allows only changes of exempt fields in mandatory priority levels', () => {
  const limited = (shares: number): JsonObject => ({
    type: 'Limited',
    limited: {
      nominalConcurrencyShares: shares,
      limitResponse: { type: 'Reject' },
      lendablePercent: 0,
    },
  })
  const level = (name: string, spec: JsonObject): JsonObject => ({ metadata: { name }, spec })
  const update = (old: JsonObject, object: JsonObject): string[] =>
    texts(priorityLevelRules.update({ object, old }))
  const printed =
    '{"Type":"Limited","Limited":{"NominalConcurrencyShares":4,"LimitResponse":{"Type":"Reject","Queuing":null},"LendablePercent":0,"BorrowingLimitPercent":null},"Exempt":null}'
  expect(update(level('catch-all', limited(5)), level('catch-all', limited(4)))).toEqual([
    `spec: Invalid value: ${printed}: spec of 'catch-all' must equal the fixed value`,
  ])
  const free = (shares: number): JsonObject => ({
    type: 'Exempt',
    exempt: { nominalConcurrencyShares: shares },
  })
  expect(update(level('exempt', free(0)), level('exempt', free(1)))).toEqual([])
  expect(update(level('exempt', free(0)), level('exempt', limited(4)))).toEqual([
    "spec.type: Invalid value: \"Limited\": must be 'Exempt' if and only if `name` is 'exempt'",
    `spec: Invalid value: ${printed}: spec of 'exempt' except the 'spec.exempt' field must equal the fixed value`,
  ])
})
