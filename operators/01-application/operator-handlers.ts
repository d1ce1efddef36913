import { readFile } from 'node:fs/promises'
import { operator, template } from 'setpoint'
import { Deployment, Service } from 'setpoint/kinds'
import { Application } from './application.ts'

// `setpoint build` copies the files that `new URL(..., import.meta.url)` names.
const deploymentTemplate = await readFile(new URL('deployment.yaml', import.meta.url), 'utf8')
const serviceTemplate = await readFile(new URL('service.yaml', import.meta.url), 'utf8')

/**
 * Creates the objects of two files for every new Application, and puts their names into the status.
 */
export default operator(Application)
  .owns(Deployment)
  .owns(Service)
  .onCreate(async function create({ metadata: { name }, spec }, ctx) {
    ctx.log.info(`Application ${name} was created`)
    const values = { name, ...spec }
    const deployment = await ctx.apply(Deployment, template(deploymentTemplate, values))
    const service = await ctx.apply(Service, template(serviceTemplate, values))
    const message = `created the Deployment and the Service ${name}`
    await ctx.recordEvent({ type: 'Normal', reason: 'Created', message })
    return { deployment: deployment.metadata.name, service: service.metadata.name }
  })
