/** The counterpart of shell-operator's examples/210-conversion-webhook. */
import * as z from 'zod'
import { defineResource, operator } from 'setpoint'

export const VersionedCronTab = defineResource({
  group: 'stable.example.com',
  version: 'v1alpha2',
  kind: 'CronTab',
  shortNames: ['ct'],
  spec: z.object({ cron: z.string(), imageName: z.string() }),
  versions: {
    v1alpha1: {
      storage: true,
      spec: z.object({ cron: z.array(z.string()), imageName: z.string() }),
      up: ({ spec }) => ({ spec: { ...spec, cron: spec.cron.join(' ') } }),
      down: ({ spec }) => ({ spec: { ...spec, cron: spec.cron.split(' ') } }),
    },
  },
})

export const versionedCronTabs = operator(VersionedCronTab)
