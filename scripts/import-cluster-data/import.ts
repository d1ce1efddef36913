// Writes packages/cluster/src/data/generated from the facts of a real API server:
//
//     node --import tsx scripts/import-cluster-data/import.ts FOLDER
//
// FOLDER has discovery.json, discovery-legacy.json, schemas.json, proto-fields.json, tables.json,
// selectable-fields.json, boot-objects.json and openapi/, as read from a live kube-apiserver.
// The modules contain JSON as text: parsing text is the fastest way to load data in JavaScript, it
// costs nothing until the first use, and it needs no file access at run time.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync, gunzipSync } from 'node:zlib'
import { writeModule as write } from './write-module.ts'

const source = process.argv[2]
if (source === undefined) throw new Error('usage: import.ts FOLDER')

function plain(name: string, constant: string): void {
  write(name, constant, readFileSync(join(source as string, `${name}.json`), 'utf8'))
}

plain('discovery', 'discoveryText')
plain('schemas', 'schemasText')
plain('proto-fields', 'protoFieldsText')
writeFileSync(
  new URL('data/boot-objects.json.gz', import.meta.url),
  gzipSync(readFileSync(join(source, 'boot-objects.json')), { level: 9 }),
)

const legacy = JSON.parse(readFileSync(join(source, 'discovery-legacy.json'), 'utf8')) as object
write('discovery-legacy', 'legacyDiscoveryText', JSON.stringify(legacy))

const tables = JSON.parse(readFileSync(join(source, 'tables.json'), 'utf8')) as {
  columns: Record<string, unknown>
}
const columns = Object.entries(tables.columns).map(
  ([name, entry]) => `${JSON.stringify(name)}:${JSON.stringify(entry)}`,
)
write('table-columns', 'tableColumnsText', `{\n${columns.join(',\n')}\n}`)

const selectable = JSON.parse(readFileSync(join(source, 'selectable-fields.json'), 'utf8')) as {
  resources: Record<string, { fields: string[]; refusal: string }>
}
const fields = Object.entries(selectable.resources).map(
  ([name, entry]) =>
    `${JSON.stringify(name)}:${JSON.stringify({ fields: entry.fields, refusal: entry.refusal })}`,
)
write('selectable-fields', 'selectableFieldsText', `{\n${fields.join(',\n')}\n}`)

const index = JSON.parse(readFileSync(join(source, 'openapi/index.json'), 'utf8')) as {
  documents: Record<string, { file: string }>
}
const documents = Object.entries(index.documents).map(([path, { file }]) => {
  const text = gunzipSync(readFileSync(join(source, file)))
  return `${JSON.stringify(path)}:${JSON.stringify(gzipSync(text, { level: 9 }).toString('base64'))}`
})
write('openapi-documents', 'openApiDocumentsText', `{\n${documents.join(',\n')}\n}`)

console.log('written; now update the objects of a fresh cluster: npm run cluster:fresh')
