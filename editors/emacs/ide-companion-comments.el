;;; ide-companion-comments.el --- Comments on lines of proposals  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; What the user writes about lines of a proposal.  The program stores it, and
;; the agent receives it with the decision.

;; A comment is an overlay on its lines, which follows them.  Its property
;; `ide-companion-comment' is the text, and `ide-companion-id' the name by
;; which the program knows it.

;;; Code:

(eval-when-compile
  (require 'cl-lib)
  (require 'subr-x))
(require 'ide-companion-custom)
(require 'ide-companion-log)
(require 'ide-companion-proposal)
(require 'ide-companion-rpc)
(require 'ide-companion-selection)
(require 'ide-companion-text)

(defun ide-companion--comment-lines (comment)
  "The lines of COMMENT as they stand: a list of the first and the last.
They are 0 for a comment on all of the change."
  (if (overlay-get comment 'ide-companion-on-all)
      (list 0 0)
    (with-current-buffer (overlay-buffer comment)
      (list (line-number-at-pos (overlay-start comment) t)
            (line-number-at-pos (overlay-end comment) t)))))

(defun ide-companion--comment-plist (proposal comment)
  "COMMENT on PROPOSAL as the program wants it."
  (pcase-let ((`(,first ,last) (ide-companion--comment-lines comment)))
    (list :id (overlay-get comment 'ide-companion-id)
          :side (if (eq (overlay-buffer comment) (ide-companion--proposal-base proposal))
                    "original" "proposed")
          :startLine first
          :endLine last
          :quote (if (= first 0) ""
                   (ide-companion--unicode
                    (string-remove-suffix
                     "\n" (substring-no-properties
                           (ide-companion--lines-text (overlay-buffer comment) first (- (1+ last) first))))))
          :text (ide-companion--unicode (overlay-get comment 'ide-companion-comment)))))

(defun ide-companion--comments-vector (proposal)
  "All comments on PROPOSAL as the program wants them."
  (vconcat (mapcar (lambda (comment) (ide-companion--comment-plist proposal comment))
                   (ide-companion--proposal-comments proposal))))

(defun ide-companion--keep-lines (comment after begin &rest _)
  "A line that begins behind COMMENT does not belong to it.
It is called when text is inserted at its end, AFTER that or before
it, from BEGIN."
  (when after
    (let ((end (save-excursion
                 (goto-char begin)
                 (line-end-position))))
      (when (<= (overlay-start comment) end (overlay-end comment))
        (move-overlay comment (overlay-start comment) end)))))

(defun ide-companion--show-comment (comment)
  "Show COMMENT below its lines."
  (let* ((text (overlay-get comment 'ide-companion-comment))
         (sign (if (char-displayable-p ?▎) "▎" "|"))
         (lines (split-string text "\n"))
         (shown (propertize (concat " " (mapconcat (lambda (line) (concat "\n" sign line)) lines ""))
                            'face 'ide-companion-comment
                            'line-prefix "")))
    ;; At the end of the line the cursor stands on the blank before the comment.
    (put-text-property 0 1 'cursor t shown)
    (overlay-put comment 'line-prefix (propertize sign 'face 'ide-companion-comment))
    (overlay-put comment 'after-string shown)))

(defun ide-companion--add-comment (proposal first last text &optional id)
  "Add a comment, TEXT, on the lines FIRST to LAST of this buffer to PROPOSAL.
Its ID is the next number, if it has none."
  (save-excursion
    (save-restriction
      (widen)
      (goto-char (point-min))
      (forward-line (1- first))
      (let* ((begin (point))
             (end (progn (forward-line (- last first)) (line-end-position)))
             (comment (make-overlay begin end nil t t)))
        (overlay-put comment 'ide-companion-id
                     (or id (number-to-string (cl-incf (ide-companion--proposal-comment-count proposal)))))
        (overlay-put comment 'ide-companion-on-all (= first 0))
        (overlay-put comment 'ide-companion-comment text)
        (overlay-put comment 'insert-behind-hooks '(ide-companion--keep-lines))
        (push comment (ide-companion--proposal-comments proposal))
        (ide-companion--show-comment comment)))))

(defun ide-companion--set-comment (proposal comment text)
  "Let the COMMENT on PROPOSAL say TEXT; an empty one deletes it."
  (cond
   ((string-empty-p text)
    (setf (ide-companion--proposal-comments proposal)
          (delq comment (ide-companion--proposal-comments proposal)))
    (delete-overlay comment))
   (t
    (overlay-put comment 'ide-companion-comment text)
    (ide-companion--show-comment comment))))

(defun ide-companion--update-comments (params)
  "`companion/updateComments' with PARAMS: the user has written in another view."
  (let* ((proposal (ide-companion--expect params))
         (known (lambda (id)
                  (seq-find (lambda (comment) (equal id (overlay-get comment 'ide-companion-id)))
                            (ide-companion--proposal-comments proposal)))))
    (seq-doseq (id (plist-get params :deleted))
      (when (funcall known id)
        (ide-companion--set-comment proposal (funcall known id) "")))
    (seq-doseq (one (plist-get params :comments))
      (let ((comment (funcall known (plist-get one :id)))
            (text (plist-get one :text)))
        (if comment
            (ide-companion--set-comment proposal comment text)
          (with-current-buffer (if (equal (plist-get one :side) "original")
                                   (ide-companion--proposal-base proposal)
                                 (ide-companion--proposal-buffer proposal))
            (ide-companion--add-comment proposal (plist-get one :startLine) (plist-get one :endLine)
                                        text (plist-get one :id))))))
    (force-mode-line-update t)))

(defun ide-companion--comment-at (proposal first last)
  "The comment on PROPOSAL that is on the lines FIRST to LAST of this buffer.
For a single line, a comment whose lines include it."
  (seq-find (lambda (comment)
              (and (eq (overlay-buffer comment) (current-buffer))
                   (pcase-let ((`(,from ,to) (ide-companion--comment-lines comment)))
                     (if (= first last)
                         (<= from first to)
                       (and (= from first) (= to last))))))
            (ide-companion--proposal-comments proposal)))

(defun ide-companion--takes-comments-p (proposal)
  "Whether an agent waits for what the user writes about PROPOSAL."
  (and (memq proposal ide-companion--proposals)
       (ide-companion--ready-p)))

(defun ide-companion--commented ()
  "The proposal whose text, or the text on disk, is the current buffer."
  (let ((proposal ide-companion--proposal))
    (unless (and proposal (memq (current-buffer) (list (ide-companion--proposal-buffer proposal)
                                                       (ide-companion--proposal-base proposal))))
      (user-error "Go to a line of a proposal first: M-x ide-companion-next-proposal"))
    (unless (ide-companion--takes-comments-p proposal)
      (user-error "No agent waits for this any more"))
    proposal))

(defun ide-companion--read-comment (lines text)
  "Ask for a comment on LINES, the first and the last.  It is TEXT so far."
  (string-trim
   (read-string (pcase lines
                  (`(,line ,(pred (= line))) (format "Comment on line %d: " line))
                  (`(,first ,last) (format "Comment on lines %d-%d: " first last)))
                text)))

(defun ide-companion-comment (first last)
  "Comment on the lines FIRST to LAST of a proposal.
Interactively, use the lines of the region, or the current line.
Where a comment is, change it; an empty text deletes it.
\\<ide-companion-proposal-mode-map>\\[ide-companion-say-why] and \\[ide-companion-ask-more] \
send all comments to the agent."
  (interactive (ide-companion--selected-lines))
  (let* ((proposal (ide-companion--commented))
         (known (ide-companion--comment-at proposal first last))
         (text (ide-companion--read-comment
                (if known (ide-companion--comment-lines known) (list first last))
                (and known (overlay-get known 'ide-companion-comment)))))
    (deactivate-mark)
    (cond
     ((not (ide-companion--takes-comments-p proposal))
      (unless (string-empty-p text)
        (ide-companion--say "No agent waits for this any more; your comment is %s"
                            (ide-companion--copy text))))
     (t
      (cond ((and known (overlay-buffer known)) (ide-companion--set-comment proposal known text))
            ((not (string-empty-p text)) (ide-companion--add-comment proposal first last text)))
      (force-mode-line-update t)
      (ide-companion--notify :companion/comments
                             (list :id (ide-companion--proposal-id proposal)
                                   :comments (ide-companion--comments-vector proposal)))))))

(provide 'ide-companion-comments)
;;; ide-companion-comments.el ends here
