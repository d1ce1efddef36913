/** The counterpart of shell-operator's examples/204-validating-webhook. */
import * as z from 'zod'
import { defineResource, operator, problem } from 'setpoint'

export const CronTab = defineResource({
  group: 'stable.example.com',
  version: 'v1',
  kind: 'CronTab',
  shortNames: ['ct'],
  spec: z.object({
    cronSpec: z.string().optional(),
    image: z.string().optional(),
    replicas: z.int().optional(),
  }),
})

export const privateImages = operator(CronTab).validate(
  ({ spec: { image = '' } }) =>
    image.startsWith('repo.example.com')
      ? []
      : [problem('spec.image', 'only images from repo.example.com are allowed')],
  { namespaceSelector: { name: 'example-204' } },
)
