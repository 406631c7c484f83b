import { Field, ID, ObjectType } from 'type-graphql';

@ObjectType({ description: 'Something that is gone for good.' })
export class Deletion {
  @Field(() => ID) id!: string;
  @Field(() => Boolean) deleted!: boolean;
}
