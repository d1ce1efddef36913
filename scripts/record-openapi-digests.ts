// Reads /openapi/v2 of a real API server and writes digests of its structure, with which the tests of
// packages/cluster/src/api/openapi/version-2 compare:
//
//     npm run record:openapi -- FILE     the answer of `kubectl get --raw /openapi/v2`
import { readFileSync, writeFileSync } from 'node:fs'
import type { JsonObject } from 'setpoint/schema'
import { structureDigests } from '../packages/cluster/src/api/openapi/version-2/testdata/structure-digests.ts'

const [file = ''] = process.argv.slice(2)
const document = JSON.parse(readFileSync(file, 'utf8')) as JsonObject
const target = '../packages/cluster/src/api/openapi/version-2/testdata/real-digests.json'
const text = `${JSON.stringify(structureDigests(document), undefined, 2)}\n`
writeFileSync(new URL(target, import.meta.url), text)
