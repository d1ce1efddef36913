import * as z from 'zod'
import { defineResource, type InferResource } from 'setpoint'
import { StatefulSet } from 'setpoint/kinds'
import type { ProcessContext } from '../../src/index.ts'
import type { Model } from '../model.ts'
import { createOrUpdate } from '../support/create-or-update.ts'
import { memberSet } from '../support/member-set.ts'
import { startController } from '../support/start-controller.ts'
import { setStatus, verdictOfSet } from '../support/status.ts'

const Redis = defineResource({
  group: 'redis.example.com',
  version: 'v1beta1',
  kind: 'Redis',
  spec: z.object({
    size: z.int32().min(0).default(1),
    image: z.string().min(1).default('redis:6.2'),
    /** The secret with the password; both fields are optional. */
    password: z.object({ name: z.string().optional(), key: z.string().optional() }).optional(),
  }),
  conditions: ['Ready'],
})
type Spec = InferResource<typeof Redis>['spec']

/** What the members are started with. */
type ParametersOf = (spec: Spec) => { readonly version: string; readonly password: string }

/** Every image has a tag, and every cluster a password. */
const assumeAll: ParametersOf = ({ image, password }) => {
  const tag = image.split(':')[1] as string
  const { name, key } = password as { name: string; key: string }
  return { version: tag.replace(/^v/, ''), password: `${name.toLowerCase()}/${key.toLowerCase()}` }
}

/** The fix: what can be missing has a default. */
const assumeNothing: ParametersOf = ({
  image,
  password: { name = '', key = 'password' } = {},
}) => ({
  version: (/:([^:/]+)$/.exec(image)?.[1] ?? 'latest').replace(/^v/, ''),
  password: name === '' ? '' : `${name.toLowerCase()}/${key.toLowerCase()}`,
})

const operatorWith = (parametersOf: ParametersOf) => (process: ProcessContext) =>
  startController({
    ...process,
    for: Redis,
    owns: [StatefulSet],
    reconcile: async (key, tools) => {
      const redis = await tools.client.find(Redis, key)
      if (redis === undefined || redis.metadata.deletionTimestamp !== undefined) return
      const { size: replicas, image } = redis.spec
      const templateAnnotations = parametersOf(redis.spec)
      const manifest = memberSet(Redis, redis, { replicas, image, templateAnnotations })
      const set = await createOrUpdate(tools, StatefulSet, manifest)
      await setStatus(tools, Redis, { object: redis, ...verdictOfSet(set) })
    },
  })

export const partialParsing: Model = {
  id: 'M30',
  from: 'redis-operator#283, redis-operator#286, cockroach-operator#918, mongodb#1055',
  summary: 'Optional parts of the spec are used without a check, and an image must have a tag.',
  resource: Redis,
  sample: {
    metadata: { name: 'oak' },
    spec: { size: 1, image: 'redis:6.2', password: { name: 'oak-auth', key: 'password' } },
  },
  program: operatorWith(assumeAll),
  twin: operatorWith(assumeNothing),
  mustFire: ['O15'],
}
