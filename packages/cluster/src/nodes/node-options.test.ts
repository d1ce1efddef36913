import { expect, test } from 'vitest'
import { type NodesOption, simulatedNodes } from './node-options.ts'

test.each([
  [undefined, ['node-1', 'node-2', 'node-3']],
  [2, ['node-1', 'node-2']],
  [0, []],
  [{ cpu: '4' }, ['node-1', 'node-2', 'node-3']],
  [{ count: 1, name: 'only' }, ['only']],
  [
    [{ name: 'a' }, {}, { count: 2 }],
    ['a', 'node-2', 'node-3', 'node-4'],
  ],
] as [NodesOption | undefined, string[]][])('resolves %j to the nodes %j', (option, names) => {
  expect(simulatedNodes(option).map(({ name }) => name)).toEqual(names)
})
