/**
 * `npm start`: what Setpoint does today, shown on the first example. It prints the CRD that follows
 * from the definition, and the sample with its defaults applied, as YAML that kubectl can apply.
 */
import { readFile } from 'node:fs/promises'
import { parse, stringify } from 'yaml'
import { Application } from '../operators/01-application/application.ts'

const sample = new URL('../operators/01-application/sample.yaml', import.meta.url)
const documents = [
  ['the CustomResourceDefinition of operators/01-application', Application.crd()],
  ['its sample, with defaults applied', Application.parse(parse(await readFile(sample, 'utf8')))],
] as const

for (const [title, document] of documents) {
  process.stdout.write(`---\n# ${title}\n${stringify(document, { aliasDuplicateObjects: false })}`)
}
