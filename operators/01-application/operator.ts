import { operator, when } from 'setpoint'
import { Deployment, Service } from 'setpoint/kinds'
import { Application } from './application.ts'

/** Keeps a Deployment and a Service for every Application, and says where it is reached. */
export default operator(Application)
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
  .status(({ metadata: { name, namespace }, spec }, { deployment }) => ({
    url: `http://${name}.${namespace}.svc:${spec.port}`,
    conditions: {
      Ready: when(Deployment.isRolledOut(deployment), 'RolledOut', Deployment.progress(deployment)),
    },
  }))
