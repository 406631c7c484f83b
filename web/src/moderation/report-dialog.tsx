import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import {
  OwnReportsDocument,
  ReportDocument,
  type ReportReason,
  type SubjectType,
} from '../api/generated/operations.ts';
import { keyOf } from '../api/query.ts';
import { request } from '../api/request.ts';
import { useSignedIn } from '../api/use-signed-in.ts';
import { Button } from '../parts/controls/button.tsx';
import { common } from '../parts/common-texts.ts';
import { DialogActions } from '../parts/layers/dialog-actions.tsx';
import { Dialog } from '../parts/layers/dialog.tsx';
import { ErrorNote } from '../parts/lists/error-note.tsx';
import { FormField } from '../parts/controls/form-field.tsx';
import { Form } from '../parts/controls/form.tsx';
import { SelectField } from '../parts/controls/select-field.tsx';
import { notify } from '../parts/layers/toast-store.ts';
import { useSubmit } from '../parts/controls/use-submit.ts';
import { reasonNames, subjectNames } from './names.ts';
import { texts } from './texts.ts';
import styles from './moderation.module.css';

interface ReportDialogProps {
  isOpen: boolean;
  subject: { type: SubjectType; id: string };
  /** URL of the picture shown with the subject, which can be reported separately. */
  picture?: string | undefined;
  banner?: string | null | undefined;
  onClose: () => void;
}

/** Reports public content, with an account or without one. */
export const ReportDialog = ({ isOpen, ...props }: ReportDialogProps) => (
  <Dialog isOpen={isOpen} title={texts.report} description={texts.reportEffect} shape="wide" onClose={props.onClose}>
    <ReportForm {...props} />
  </Dialog>
);

/** Matches URLs of images that this service stores. A picture on another host is reported with its subject. */
const ownImage = /\/images\/[\w-]{22}\//;

function ReportForm({ subject: whole, picture, banner, onClose }: Omit<ReportDialogProps, 'isOpen'>) {
  const cache = useQueryClient();
  const isSignedIn = useSignedIn();
  const [reason, setReason] = useState<ReportReason>('SPAM');
  const [image, setImage] = useState('');
  const images = [
    [picture, texts.image],
    [banner, texts.banner],
  ].flatMap(([address, label]) => (address && label && ownImage.test(address) ? [[address, label] as const] : []));
  const { type, id } = image === '' ? whole : ({ type: 'IMAGE', id: image } as const);
  const { onSubmit, isBusy, failure, fieldErrors } = useSubmit(async ({ comment, contactEmail }) => {
    const input = { subjectType: type, subjectId: id, reason, comment: comment || null };
    await request(ReportDocument, { input: contactEmail ? { ...input, contactEmail } : input });
    void cache.invalidateQueries({ queryKey: keyOf(OwnReportsDocument) });
    onClose();
    notify(texts.reportReceived);
  });
  return (
    <Form className={styles.form} errors={fieldErrors} onSubmit={onSubmit} noValidate>
      {images.length > 0 && (
        <SelectField
          name="about"
          label={texts.subject}
          value={image}
          options={[['', subjectNames[whole.type]], ...images]}
          onChange={setImage}
        />
      )}
      <SelectField
        name="reason"
        label={texts.reason}
        value={reason}
        options={reasonNames}
        onChange={(value) => setReason(value as ReportReason)}
      />
      <FormField
        name="comment"
        label={texts.comment}
        hint={texts.commentHint}
        render={(<textarea rows={4} />) as never}
        maxLength={2_000}
      />
      {!isSignedIn && <FormField name="contactEmail" label={texts.contactEmail} type="email" dir="ltr" />}
      {failure && <ErrorNote error={failure} />}
      <DialogActions>
        <Button onClick={onClose}>{common.cancel}</Button>
        <Button type="submit" variant="primary" isBusy={isBusy}>
          {texts.send}
        </Button>
      </DialogActions>
    </Form>
  );
}
