;;; ide-companion-decision.el --- Accept and reject proposals  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; Sends the decision of the user, closes the proposal, saves what was typed
;; and reverts the buffer of its file.

;;; Code:

(require 'ide-companion-comments)
(require 'ide-companion-log)
(require 'ide-companion-proposal)
(require 'ide-companion-rpc)
(require 'ide-companion-text)
(require 'ide-companion-windows)

(defun ide-companion--save-text (path label text sentence)
  "Save TEXT for the file PATH, called LABEL, in a buffer.
The message says SENTENCE and the name of the buffer."
  (with-current-buffer (generate-new-buffer (format "*Your edits: %s*" label))
    (setq default-directory (ide-companion--existing-folder path))
    (ide-companion--put-text text)
    (ide-companion--set-mode path)
    (ide-companion--show-direction-controls)
    (set-buffer-modified-p t)
    (setq-local buffer-offer-save t)
    (ide-companion--say "%s Your edits are saved in buffer %s." sentence (buffer-name))))

(defun ide-companion--save-edits (proposal sentence)
  "Show SENTENCE, and save what the user has typed into PROPOSAL."
  (pcase-let* ((buffer (ide-companion--proposal-buffer proposal))
               (`(,text . ,edited) (if (buffer-live-p buffer)
                                       (cons (ide-companion--get-text buffer)
                                             (ide-companion--edited-p proposal))
                                     (ide-companion--proposal-decided-text proposal))))
    (if edited
        (ide-companion--save-text (ide-companion--proposal-path proposal)
                                  (ide-companion--proposal-label proposal)
                                  text sentence)
      (ide-companion--say "%s" sentence))))

(defun ide-companion--close-proposal (proposal)
  "Close what was opened for PROPOSAL, and nothing else."
  (ide-companion--forget proposal)
  ;; Otherwise the user has killed it, and that has closed the rest.
  (when (buffer-live-p (ide-companion--proposal-buffer proposal))
    (ide-companion--leave proposal)
    (kill-buffer (ide-companion--proposal-buffer proposal))
    (kill-buffer (ide-companion--proposal-base proposal)))
  (ide-companion--present-next))

(defvar ide-companion--accepted nil "The accepted proposals whose agents have not written yet.")

(defun ide-companion--on-result (proposal method result failure)
  "The program has given its RESULT on METHOD for PROPOSAL, or a FAILURE."
  (setf (ide-companion--proposal-deciding proposal) nil)
  (let ((taken (eq t (plist-get result :taken)))
        (reason (or failure (plist-get result :reason) "The decision does not count."))
        (label (ide-companion--proposal-label proposal)))
    (pcase (cons taken method)
      ('(t . :companion/diffAccepted)
       (ide-companion--end proposal)
       (ide-companion--say "Accepted: %s.%s" label
                           (if (plist-get result :notice) (concat " " (plist-get result :notice)) ""))
       (push proposal ide-companion--accepted)
       (ide-companion--event 'ide-companion-diff-accepted-functions proposal))
      ('(t . :companion/diffRejected)
       (ide-companion--save-edits proposal (format "Rejected: %s." label))
       (ide-companion--end proposal)
       (ide-companion--event 'ide-companion-diff-rejected-functions proposal))
      ('(nil . :companion/diffRejected) ; it was decided elsewhere
       (ide-companion--save-edits proposal reason)
       (ide-companion--end proposal))
      ((guard (buffer-live-p (ide-companion--proposal-buffer proposal)))
       (ide-companion--update-read-only proposal)
       (ide-companion--say "%s" reason))
      (_
       (ide-companion--save-edits proposal reason)))))

(defun ide-companion--end (proposal)
  "PROPOSAL is decided: close it when the user can spare its window."
  (ide-companion--forget proposal)
  (ide-companion--update-read-only proposal)
  (when (ide-companion--typing-p proposal)
    (run-with-timer 2.1 nil #'ide-companion--when-calm-soon))
  (ide-companion--when-calm #'ide-companion--close-proposal proposal))

(defun ide-companion--decide (proposal method &optional with-comments)
  "Send the user's decision about PROPOSAL to the program by METHOD.
WITH-COMMENTS means that the agent is to receive the comments."
  (cond
   ((ide-companion--proposal-deciding proposal))
   ((not (memq proposal ide-companion--proposals))
    (user-error "This change has already been decided"))
   ((not (ide-companion--ready-p))
    (user-error "The companion is not running: no agent waits for this"))
   (t
    (setf (ide-companion--proposal-deciding proposal) t
          (ide-companion--proposal-decided-text proposal)
          (cons (ide-companion--proposal-text proposal) (ide-companion--edited-p proposal)))
    (ide-companion--update-read-only proposal)
    ;; What its agent takes no edits of can be recovered after a rejection.
    (ide-companion--send-draft (ide-companion--proposal-buffer proposal))
    (setf (ide-companion--proposal-typed-at proposal) 0) ; who decides has stopped typing
    (ide-companion--ask method
                        (append (list :id (ide-companion--proposal-id proposal))
                                (and (eq method :companion/diffAccepted)
                                     (list :content (car (ide-companion--proposal-decided-text proposal))))
                                (and (eq method :companion/diffAccepted)
                                     (ide-companion--proposal-own-version proposal)
                                     (list :ownVersion t))
                                (and with-comments (list :withComments t)))
                        (lambda (result failure)
                          (ide-companion--on-result proposal method result failure))))))

(defun ide-companion--seen ()
  "The proposal that the user decides about.
Of several that nobody sees it goes to the oldest, and says so."
  (let ((proposal (ide-companion--current)))
    (unless (or ide-companion--proposal
                (ide-companion--first-shown t)
                (null (cdr ide-companion--proposals)))
      (ide-companion--enter proposal)
      (user-error "%d proposals wait, and this is the first: nothing is decided yet"
                  (length ide-companion--proposals)))
    proposal))

(defun ide-companion-accept ()
  "Accept a proposal, with your edits: the agent then writes the file.
It is that of the current buffer, else a visible one.  If there are
several and none is visible, go to the oldest."
  (interactive)
  (ide-companion--decide (ide-companion--seen) :companion/diffAccepted))

(defun ide-companion-reject ()
  "Reject a proposal, which is found as by \\[ide-companion-accept]."
  (interactive)
  (ide-companion--decide (ide-companion--seen) :companion/diffRejected))

(defun ide-companion--decide-with-comments (method)
  "Send the decision about the current proposal by METHOD, and the comments."
  (let ((proposal (ide-companion--current)))
    (unless (ide-companion--proposal-comments proposal)
      (user-error "%s" (substitute-command-keys
                        "Comment on a line of the proposal first: \\<ide-companion-proposal-mode-map>\
\\[ide-companion-comment]")))
    (ide-companion--decide proposal method t)))

(defun ide-companion-say-why ()
  "Reject a proposal, and send your comments to the agent.
It is that of the current buffer, else a visible one, else the oldest."
  (interactive)
  (ide-companion--decide-with-comments :companion/diffRejected))

(defun ide-companion-ask-more ()
  "Accept a proposal, and send your comments to the agent.
It is that of the current buffer, else a visible one, else the oldest."
  (interactive)
  (ide-companion--decide-with-comments :companion/diffAccepted))

(defun ide-companion-edit ()
  "Edit a proposal whose agent takes no edits.
It is that of the current buffer, else a visible one, else the oldest.
Accepting it lets the agent write its own text; after that
\\[ide-companion-edits] offers your version."
  (interactive)
  (let ((proposal (ide-companion--current)))
    (when (ide-companion--read-only-p proposal)
      (setf (ide-companion--proposal-own-version proposal) t)
      (ide-companion--update-read-only proposal)
      (ide-companion--say
       "Accepting lets %s write its own text; then M-x ide-companion-edits offers yours"
       (ide-companion--proposal-agent proposal)))))

(defun ide-companion--file-written (params)
  "`companion/fileWritten' with PARAMS: revert the buffer if its file is another.
A buffer with unsaved edits stays, and a message says so."
  (let ((buffer (ide-companion--buffer-of (ide-companion--local-name (plist-get params :filePath))))
        (proposal (seq-find (lambda (one) (equal (ide-companion--proposal-id one) (plist-get params :id)))
                            ide-companion--accepted)))
    (when (eq t (plist-get params :isWritten))
      (setq ide-companion--accepted (remq proposal ide-companion--accepted))
      (cond
       ((null buffer))
       ((not (buffer-modified-p buffer))
        (unless (verify-visited-file-modtime buffer)
          (ide-companion--reload buffer)))
       (proposal
        (ide-companion--keep-apart buffer (ide-companion--proposal-agent proposal)
                                   (ide-companion--proposal-original proposal)))
       ;; Of a write without a question only the file says whether it is another one.
       ((and (plist-member params :before) (not (verify-visited-file-modtime buffer)))
        (ide-companion--keep-apart buffer (plist-get params :agent) (plist-get params :before)))))))

(defun ide-companion--reload (buffer)
  "Revert BUFFER, and let its narrowing and `buffer-read-only' be."
  (with-current-buffer buffer
    (let ((buffer-read-only buffer-read-only) ; also where only the user wants that
          (shown (and (buffer-narrowed-p)
                      (cons (copy-marker (point-min)) (copy-marker (point-max) t)))))
      (ide-companion--guarded #'revert-buffer t t t)
      (when shown
        (narrow-to-region (car shown) (cdr shown))))))

(defvar-local ide-companion--apart nil
  "(AGENT . BASE) in a buffer with unsaved edits whose file AGENT has written.
BASE is the text that the file had before that.")

(defun ide-companion--keep-apart (buffer agent base)
  "Guard the unsaved edits in BUFFER, and what AGENT has written.
BASE is the text that the file had before that."
  (with-current-buffer buffer
    ;; Otherwise saving asks a question whose yes overwrites the file.
    (set-visited-file-modtime)
    (setq ide-companion--apart (cons agent base))
    (add-hook 'write-contents-functions #'ide-companion--merge-before-save nil t)
    (add-hook 'after-revert-hook #'ide-companion--forget-apart nil t)
    (ide-companion--say "%s has written %s, without your unsaved edits.  M-x ide-companion-merge adds them"
                        agent (buffer-name))))

(defun ide-companion--forget-apart ()
  "This buffer has what its file has."
  (setq ide-companion--apart nil))

(defun ide-companion--merge-before-save ()
  "Offer to merge what an agent has written, instead of overwriting it."
  (when ide-companion--apart
    (unless (y-or-n-p (format "%s has written %s; merge that with your edits, and save? "
                              (car ide-companion--apart) (buffer-name)))
      (user-error "Not saved"))
    (ide-companion-merge)
    (when (ide-companion--clashes-p)
      (user-error "Choose between the versions, then save")))
  nil)

(defun ide-companion--clashes-p ()
  "Whether two versions of the same lines are in this buffer."
  (save-excursion
    (save-restriction
      (widen)
      (goto-char (point-min))
      (re-search-forward "^>>>>>>> your edits$" nil t))))

(defun ide-companion-merge ()
  "Merge your unsaved edits with what an agent has written to the file.
Where both have changed the same lines, both versions are shown."
  (interactive)
  (unless ide-companion--apart
    (user-error "No agent has written this file since your edits"))
  (let ((merged (ide-companion--fetch :companion/merge
                                      (list :filePath (ide-companion--file-name buffer-file-name)
                                            :before (cdr ide-companion--apart)
                                            :content (ide-companion--get-text (current-buffer))))))
    (ide-companion--replace-contents (current-buffer) (plist-get merged :content))
    (ide-companion--forget-apart)
    (when (ide-companion--clashes-p)
      (smerge-start-session))))

(provide 'ide-companion-decision)
;;; ide-companion-decision.el ends here
