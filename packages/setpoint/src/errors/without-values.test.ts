import { expect, test } from 'vitest'
import { withoutValues } from './index.ts'

test.each([
  [
    'spec.password: Invalid value: "hunter2": should be at least 8 chars long',
    'spec.password: Invalid value: should be at least 8 chars long',
  ],
  ['spec.key: Invalid value: "hun\\"ter2: x": must match', 'spec.key: Invalid value: must match'],
  [
    '[spec.a: Invalid value: "hunter2": bad, spec.b: Invalid value: {"p":"hunter2"}: worse]',
    '[spec.a: Invalid value: bad, spec.b: Invalid value: worse]',
  ],
  [
    'spec: Invalid value: map[string]interface {}{"p":"hunter2"}: must be text',
    'spec: Invalid value: must be text',
  ],
  ['spec.list[1]: Duplicate value: "hunter2"', 'spec.list[1]: Duplicate value'],
  ['spec.x: Invalid value: "hunter2 is cut o', 'spec.x: Invalid value'],
  ['spec.replicas: Invalid value: -1: should be positive', undefined],
  ['spec.flag: Invalid value: true: must be false', undefined],
  ['spec.mode: Unsupported value: "fast": supported values: "slow"', undefined],
  ['widgets "web" not found', undefined],
  ['spec.name: Too long: may not be more than 3 bytes', undefined],
])('shows no value that may be secret: %s', (message, shown = message) => {
  expect(withoutValues(message)).toBe(shown)
})
