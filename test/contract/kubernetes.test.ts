import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import * as apps from 'kubernetes-models/apps/v1';
import * as autoscaling from 'kubernetes-models/autoscaling/v2';
import * as batch from 'kubernetes-models/batch/v1';
import * as networking from 'kubernetes-models/networking.k8s.io/v1';
import * as policy from 'kubernetes-models/policy/v1';
import * as core from 'kubernetes-models/v1';
import { describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { environmentVariables, readConfig } from '../../src/app/config.ts';
import { productionEnv } from '../support/production.ts';

const root = resolve(import.meta.dirname, '../..');
const folder = join(root, 'deploy/kubernetes');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string };
  // oxlint-disable-next-line typescript/no-explicit-any -- each kind has a shape of its own, which its model checks
  [key: string]: any;
}

const files = readdirSync(folder);
const documentsOf = (file: string): Manifest[] =>
  parseAllDocuments(read(`deploy/kubernetes/${file}`)).map((document) => document.toJS() as Manifest);
const kustomization = documentsOf('kustomization.yaml')[0]!;
const manifests = files.filter((file) => file !== 'kustomization.yaml').flatMap(documentsOf);
const ofKind = (kind: string): Manifest[] => manifests.filter((manifest) => manifest.kind === kind);
const named = (kind: string, name: string): Manifest => ofKind(kind).find(({ metadata }) => metadata.name === name)!;

type Model = new (manifest: object) => { validate(): void };
const models: Readonly<Record<string, object>> = {
  'apps/v1': apps,
  'autoscaling/v2': autoscaling,
  'batch/v1': batch,
  'networking.k8s.io/v1': networking,
  'policy/v1': policy,
  v1: core,
};

describe('the manifests for Kubernetes', () => {
  test.each(manifests.map((manifest) => [`${manifest.kind} ${manifest.metadata.name}`, manifest] as const))(
    '%s is valid by the schema of its API',
    (_name, { apiVersion, kind, ...fields }) => {
      const model = (models[apiVersion] as Record<string, Model> | undefined)?.[kind];
      expect(model).toBeDefined();
      expect(() => new model!(fields).validate()).not.toThrow();
    },
  );

  test('are all in the kustomization', () => {
    expect(kustomization['resources'].toSorted()).toEqual(
      files.filter((file) => file !== 'kustomization.yaml').toSorted(),
    );
  });

  test('are a valid production configuration with the documented secrets', () => {
    const settings = named('ConfigMap', 'agent-chat-service')['data'] as Record<string, string>;
    expect(Object.keys(settings).filter((name) => !environmentVariables.includes(name))).toEqual([]);
    const documented = [...read('docs/kubernetes.md').matchAll(/^\| (`[A-Z_`, ]+`) \|/gm)].flatMap(([, names = '']) =>
      [...names.matchAll(/`([A-Z_]+)`/g)].map(([, name = '']) => name),
    );
    const given = Object.entries(productionEnv()).filter(([name]) => documented.includes(name));
    expect(readConfig({ ...Object.fromEntries(given), ...settings })).toMatchObject({
      profile: 'production',
      trustProxy: true,
    });
  });

  test.each(['web', 'worker'])('run %s unprivileged, with probes, a budget and an autoscaler', (name) => {
    const { template } = named('Deployment', name)['spec'];
    const [container] = template.spec.containers;
    expect(container.env).toEqual([{ name: 'ROLE', value: name }]);
    expect(template.spec.securityContext).toMatchObject({ runAsNonRoot: true });
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    expect(container.livenessProbe.httpGet.path).toBe('/healthz');
    expect(container.readinessProbe.httpGet.path).toBe('/readyz');
    const label = { 'app.kubernetes.io/component': name };
    expect(template.metadata.labels).toEqual(label);
    expect(named('PodDisruptionBudget', name)['spec'].selector.matchLabels).toEqual(label);
    expect(named('HorizontalPodAutoscaler', name)['spec'].scaleTargetRef.name).toBe(name);
  });

  test.each(['web', 'worker'])('give %s time to drain and stop', (name) => {
    const drainSeconds = Number(named('ConfigMap', 'agent-chat-service')['data'].DRAIN_SECONDS);
    const stopSeconds = Number(/stopLimitMs = ([\d_]+)/.exec(read('src/main.ts'))?.[1]?.replaceAll('_', '')) / 1_000;
    const { terminationGracePeriodSeconds } = named('Deployment', name)['spec'].template.spec;
    expect(terminationGracePeriodSeconds).toBeGreaterThanOrEqual(stopSeconds + drainSeconds);
  });

  test('scale by metrics that the service exports', () => {
    const names = ofKind('HorizontalPodAutoscaler').flatMap(({ spec }) =>
      spec.metrics.flatMap((metric: Record<string, { metric?: { name: string } }>) =>
        Object.values(metric).flatMap((source) => source.metric?.name ?? []),
      ),
    );
    expect(names).toHaveLength(3);
    const documented = read('docs/observability.md');
    for (const name of names) expect(documented).toContain(name);
  });

  test('expose no metrics outside of the cluster', () => {
    const [rule] = named('Ingress', 'web')['spec'].rules;
    const services = Object.fromEntries(
      rule.http.paths.map(({ path, backend }: { path: string; backend: { service: { name: string } } }) => [
        path,
        backend.service.name,
      ]),
    );
    expect(services).toEqual({ '/metrics': 'nothing', '/': 'web' });
    expect(ofKind('Service').map(({ metadata }) => metadata.name)).not.toContain('nothing');
  });
});
