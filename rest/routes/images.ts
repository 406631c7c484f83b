import { imageOriginalAdapter } from '../adapters/image-original.ts';
import { imageUploadAdapter } from '../adapters/image-upload.ts';
import type { RouteGroup } from './route.ts';

export const imageRoutes: RouteGroup = {
  tag: 'Images',
  description: 'Generated and uploaded images for agents and profiles.',
  routes: [
    {
      method: 'POST',
      path: '/images',
      operation: 'Mutation.generateImages',
      status: 202,
      summary: 'Generate images',
      body: 'input',
      errors: ['not_found', 'plan_limit_exceeded', 'unavailable', 'forbidden'],
      idempotency: 'remote',
    },
    {
      method: 'POST',
      path: '/images/uploads',
      operation: 'Mutation.uploadImage',
      status: 201,
      summary: 'Upload an image',
      body: 'input',
      errors: ['not_found', 'plan_limit_exceeded', 'unavailable', 'forbidden'],
      adapter: imageUploadAdapter,
    },
    { method: 'GET', path: '/images', operation: 'Query.images', status: 200, summary: 'List the images' },
    { method: 'GET', path: '/images/:id', operation: 'Query.image', status: 200, summary: 'Get an image' },
    {
      method: 'GET',
      path: '/images/:id/original',
      operation: 'Query.imageOriginal',
      status: 200,
      summary: 'Download the original image of the model',
      adapter: imageOriginalAdapter,
    },
    {
      method: 'POST',
      path: '/images/:id/apply',
      operation: 'Mutation.applyImage',
      status: 200,
      summary: 'Apply an image to an agent or the profile',
      body: 'input',
      errors: ['conflict', 'forbidden'],
    },
    {
      method: 'DELETE',
      path: '/images/:id',
      operation: 'Mutation.deleteImage',
      status: 200,
      summary: 'Delete an image',
      errors: ['conflict'],
    },
  ],
};
