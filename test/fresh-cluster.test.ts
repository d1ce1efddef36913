import { expect, test } from 'vitest'
import { builtinData } from '../packages/cluster/src/data/index.ts'
import { freshClusterText } from '../scripts/import-cluster-data/fresh-cluster.ts'

test('the recorded objects of a fresh cluster equal what the server stores', () => {
  // After a change of how objects are stored or owned: npm run cluster:fresh.
  expect(builtinData.freshCluster()).toEqual(JSON.parse(freshClusterText()))
})
