import { operator } from 'setpoint'
import { Deployment, Service } from 'setpoint/kinds'
import { Application } from './application.ts'
import { problemsOf } from './problems-of.ts'

/**
 * Maintains a Deployment and a Service for every Application, and puts its URL into the status.
 * Refuses Applications that cannot run.
 */
export default operator(Application)
  .validate(problemsOf)
  .child('deployment', Deployment, ({ metadata: { name: app }, spec }) => ({
    spec: {
      replicas: spec.replicas,
      selector: { matchLabels: { app } },
      template: {
        metadata: { labels: { app } },
        spec: {
          containers: [{ name: app, image: spec.image, ports: [{ containerPort: spec.port }] }],
        },
      },
    },
  }))
  .child('service', Service, ({ metadata: { name: app }, spec }) => ({
    spec: { selector: { app }, ports: [{ port: spec.port }] },
  }))
  .status(({ metadata: { name, namespace }, spec }) => ({
    url: `http://${name}.${namespace}.svc:${spec.port}`,
  }))
