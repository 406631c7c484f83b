import { lazyRouteComponent } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { loadScreen } from './parts/layers/load-part.ts';

/** Creates a lazy screen component, loaded on the first visit. */
export const screen = <Module extends Record<Name, ComponentType>, Name extends string>(
  load: () => Promise<Module>,
  name: Name,
) => lazyRouteComponent(() => loadScreen(load), name);
