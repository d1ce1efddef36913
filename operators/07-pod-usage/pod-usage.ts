import * as z from 'zod'
import { defineResource } from 'setpoint'

/** What the processes of a pod use. It is computed for each request and never stored. */
export const PodUsage = defineResource({
  group: 'usage.example.com',
  version: 'v1',
  kind: 'PodUsage',
  shortNames: ['usage'],
  description: 'The processor time and the memory that the processes of a pod use.',
  spec: z.object({}),
  status: z.object({
    processes: z.int32().describe('The number of running processes.'),
    cpuSeconds: z.number().describe('The processor time of the running processes, in seconds.'),
    memoryMiB: z.int32().describe('The memory of the running processes, in MiB.'),
  }),
  columns: {
    Processes: '.status.processes',
    'CPU Seconds': '.status.cpuSeconds',
    'Memory MiB': '.status.memoryMiB',
  },
})
