import * as z from 'zod'
import { defineResource, type Frozen, type InferResource, listMap, quantity, rule } from 'setpoint'

/** A name that can be part of the name of an object. */
const shortName = z
  .string()
  .regex(/^[a-z]([a-z0-9-]*[a-z0-9])?$/)
  .max(20)

const pool = z
  .object({
    name: shortName,
    servers: z.int32().min(1).max(32).describe('How many pods the pool has.'),
    volumesPerServer: z.int32().min(1).max(16).describe('How many volumes each pod has.'),
    size: quantity().describe('The size of each volume.'),
    storageClassName: z.string().optional(),
  })
  .check(
    rule('self == oldSelf', 'a pool cannot change: add another pool'),
    rule('self.servers * self.volumesPerServer >= 4', 'erasure coding needs four volumes or more'),
  )

const pools = z
  .array(pool)
  .min(1)
  .max(8)
  .check(
    listMap('name'),
    rule(
      'size(self) >= size(oldSelf) && [0, 1, 2, 3, 4, 5, 6, 7].all(i, i >= size(oldSelf) || self[i].name == oldSelf[i].name)',
      'pools cannot be removed or change their order, because they have data: add the new pool at the end',
    ),
  )

const statement = z.object({
  effect: z.enum(['Allow', 'Deny']).default('Allow'),
  actions: z
    .array(
      z
        .string()
        .regex(/^s3:[A-Za-z*]+$/)
        .max(64),
    )
    .min(1)
    .max(20),
  resources: z
    .array(
      z
        .string()
        .regex(/^[a-z0-9*][^\s"\\]*$/)
        .max(200),
    )
    .min(1)
    .max(20)
    .describe('Buckets (`photos`) and objects (`photos/*`).'),
})

/** Object storage: MinIO servers, and the buckets and users in it. */
export const Tenant = defineResource({
  group: 'storage.example.com',
  version: 'v1',
  kind: 'Tenant',
  description: 'An object storage of MinIO servers, with buckets, users and policies.',
  spec: z.object({
    image: z
      .string()
      .default('minio/minio:RELEASE.2025-09-07T16-13-09Z')
      .describe('An image with minio and mc.'),
    pools: pools.describe('The servers and their volumes. To get more space, add a pool.'),
    credentials: z
      .object({ secretName: z.string() })
      .optional()
      .describe(
        'The Secret with accessKey and secretKey of the administrator, instead of our own.',
      ),
    tls: z
      .object({ secretName: z.string() })
      .optional()
      .describe('The Secret with tls.crt, tls.key and ca.crt for the names of the Services.'),
    buckets: z
      .array(
        z.object({
          name: z
            .string()
            .regex(/^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$/)
            .describe('As Amazon S3 allows it, without dots.'),
          versioned: z.boolean().default(false),
        }),
      )
      .max(50)
      .check(listMap('name'))
      .default([])
      .describe('Buckets that exist. A bucket that is removed from the list is kept.'),
    policies: z
      .array(z.object({ name: shortName, statements: z.array(statement).min(1).max(20) }))
      .max(50)
      .check(listMap('name'))
      .default([]),
    users: z
      .array(
        z.object({
          name: shortName.min(3).describe('The access key of the user.'),
          policies: z.array(shortName).max(20).default([]),
          secretName: z
            .string()
            .optional()
            .describe('A Secret with the secretKey of the user. By default it is generated.'),
        }),
      )
      .max(50)
      .check(listMap('name'))
      .default([]),
  }),
  status: z.object({
    endpoint: z.string().describe('The address of the S3 API inside of the cluster.'),
    servers: z.string().describe('How many servers are ready.'),
    users: z
      .array(z.string())
      .optional()
      .describe('The users that may exist in MinIO. Those that are not in the spec are removed.'),
  }),
  conditions: ['Ready', 'Provisioned'],
  runbooks: ['provision', 'roll'],
  columns: {
    Servers: '.status.servers',
    Ready: '.status.conditions[?(@.type=="Ready")].status',
    Provisioned: '.status.conditions[?(@.type=="Provisioned")].status',
    Endpoint: { jsonPath: '.status.endpoint', priority: 1 },
  },
  rules: [
    rule('size(self.metadata.name) <= 30', {
      message: 'the name must have at most 30 characters, because other names contain it',
    }),
    rule('self.spec.users.all(u, u.policies.all(p, self.spec.policies.exists(o, o.name == p)))', {
      message: 'users can only have policies that are in spec.policies',
    }),
  ],
})

/** A Tenant as the functions of the operator receive it. */
export type Storage = Frozen<InferResource<typeof Tenant>>
/** A group of equal servers. */
export type Pool = Storage['spec']['pools'][number]
