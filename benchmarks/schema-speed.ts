/** The cost of a definition at start-up, and of the schema engine for each object. */
import * as z from 'zod'
import { Application } from '../operators/01-application/application.ts'
import { SampleDB } from '../operators/05-sample-db/sample-db.ts'
import { defineResource } from '../packages/setpoint/src/index.ts'
import {
  applyDefaults,
  pruneUnknown,
  validateValue,
} from '../packages/setpoint/src/schema/index.ts'
import { microsecondsOf, table } from './table.ts'

const object = {
  apiVersion: 'shclub.github.io/v1',
  kind: 'Application',
  metadata: { name: 'nginx', namespace: 'default' },
  spec: { image: 'ghcr.io/shclub/nginx', port: 80 },
  status: { url: 'http://nginx' },
}

function define(): unknown {
  return defineResource({
    group: 'example.com',
    version: 'v1',
    kind: 'Example',
    spec: z.object({ image: z.string().min(1), replicas: z.int32().min(0).default(1) }),
    status: z.object({ url: z.string().optional() }),
    conditions: ['Ready'],
    columns: { Image: '.spec.image' },
  })
}

export async function schemaSpeed(): Promise<string> {
  const schema = Application.schema()
  const rows = [
    ['define a small resource, CRD check included', await microsecondsOf(200, define)],
    ['the CRD of SampleDB', await microsecondsOf(500, () => SampleDB.crd())],
    ['parse an Application', await microsecondsOf(5000, () => Application.parse(object))],
    [
      'prune it',
      await microsecondsOf(5000, () => pruneUnknown(schema, object, { isResourceRoot: true })),
    ],
    ['apply its defaults', await microsecondsOf(5000, () => applyDefaults(schema, object))],
    ['validate it', await microsecondsOf(5000, () => validateValue(schema, object))],
  ] as const
  return `Microseconds for each call, the median of five rounds.\n\n${table(['what', 'µs'], rows)}`
}
