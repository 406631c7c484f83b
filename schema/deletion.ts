import { Field, ID, ObjectType } from 'type-graphql';

@ObjectType({ description: 'Confirmation that an object was deleted.' })
export class Deletion {
  @Field(() => ID, { description: 'ID of the deleted object.' }) id!: string;
  @Field(() => Boolean, { description: 'Always true.' }) deleted!: boolean;
}
