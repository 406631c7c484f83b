import { startMongoFake } from '../support/mongo-fake/server.ts';
import { describeJobs } from './agenda.suite.ts';

describeJobs(async () => {
  const fake = await startMongoFake();
  return { mongodbUrl: fake.url, close: () => fake.close() };
});
