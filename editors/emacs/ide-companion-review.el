;;; ide-companion-review.el --- Show proposals for review  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; Opens the buffers of a proposal, with their keys and the line above them.

;;; Code:

(eval-when-compile
  (require 'cl-lib)
  (require 'subr-x))
(require 'ide-companion-comments)
(require 'ide-companion-custom)
(require 'ide-companion-decision)
(require 'ide-companion-diff)
(require 'ide-companion-evil)
(require 'ide-companion-log)
(require 'ide-companion-proposal)
(require 'ide-companion-rpc)
(require 'ide-companion-text)
(require 'ide-companion-windows)

(defun ide-companion--new-buffer (proposal name text)
  "A buffer of PROPOSAL called NAME, with TEXT in it."
  (let ((path (ide-companion--proposal-path proposal)))
    (with-current-buffer (generate-new-buffer name)
      (setq default-directory (ide-companion--existing-folder path))
      (ide-companion--put-text text)
      (ide-companion--set-mode path)
      (ide-companion--show-direction-controls)
      ;; Nothing may change the text without the user seeing it.
      (setq-local require-final-newline nil
                  mode-require-final-newline nil
                  before-save-hook nil
                  ;; A copy of another name must not change the mode either.
                  change-major-mode-with-file-name nil
                  ide-companion--proposal proposal)
      (current-buffer))))

(defun ide-companion--name (proposal)
  "The name of PROPOSAL for people."
  (format "%s: %s" (ide-companion--proposal-agent proposal) (ide-companion--proposal-label proposal)))

(defun ide-companion--create-buffers (proposal text)
  "Make the buffers of PROPOSAL, which is TEXT."
  (let* ((name (ide-companion--name proposal))
         (base (ide-companion--new-buffer proposal (format "*%s on disk*" name)
                                          (or (ide-companion--proposal-original proposal) "")))
         (buffer (ide-companion--new-buffer proposal (format "*%s*" name) text)))
    (setf (ide-companion--proposal-base proposal) base
          (ide-companion--proposal-buffer proposal) buffer)
    (with-current-buffer base
      ;; Hidden from lists of buffers; not earlier, because hidden buffers are not highlighted.
      (rename-buffer (concat " " (buffer-name)) t)
      (setq buffer-read-only t)
      (add-hook 'kill-buffer-hook #'ide-companion--on-proposal-killed nil t)
      (ide-companion-proposal-mode 1))
    (with-current-buffer buffer
      (add-hook 'write-contents-functions #'ide-companion--write nil t)
      (add-hook 'kill-buffer-hook #'ide-companion--on-proposal-killed nil t)
      (add-hook 'after-change-functions #'ide-companion--on-edit nil t)
      ;; A path would push the number of proposals out of a mode line of 80 columns.
      (setq mode-line-buffer-identification
            (list (propertize (replace-regexp-in-string
                               "%" "%%" (format "%s: %s" (ide-companion--proposal-agent proposal)
                                                (file-name-nondirectory (ide-companion--proposal-path proposal)))
                               t t)
                              'face 'mode-line-buffer-id)))
      (ide-companion-proposal-mode 1))
    (ide-companion--evil-write-proposals)))

(defun ide-companion--announce (proposal)
  "Show a message about PROPOSAL, with a key that leads to it if it is hidden."
  (let* ((facts (ide-companion--facts proposal))
         (text (format "%s proposes %s%s" (ide-companion--proposal-agent proposal)
                       (ide-companion--proposal-label proposal)
                       (if facts (concat ": " (string-join facts ", ")) ""))))
    (if (or (eq ide-companion-on-proposal 'message)
            (seq-some #'ide-companion--shown-p (remq proposal ide-companion--proposals)))
        (ide-companion--say "%s; it waits: %s" text
                            (substitute-command-keys "\\[ide-companion-next-proposal]"))
      (ide-companion--say "%s" text))))

(defconst ide-companion--ahead-time 0.5
  "Seconds within which the program decides what is accepted ahead.")

(defun ide-companion--offer (proposal)
  "Announce PROPOSAL and show it, if it waits for the user."
  (when (memq proposal ide-companion--proposals)
    (setf (ide-companion--proposal-offered proposal) t)
    (ide-companion--announce proposal)
    (ide-companion--when-calm #'ide-companion--present proposal)))

(defun ide-companion--open (params)
  "`companion/openDiff' with PARAMS."
  (let ((proposal (ide-companion--make-proposal
                   :id (plist-get params :id)
                   :agent (plist-get params :agent)
                   :path (ide-companion--local-name (plist-get params :filePath))
                   :label (plist-get params :label)
                   :original (plist-get params :original)
                   :read-only-reason (plist-get params :readOnlyReason)
                   :notes (append (plist-get params :notes) nil))))
    (let ((gc-cons-threshold (max gc-cons-threshold (* 64 1024 1024)))) ; not in between
      (ide-companion--create-buffers proposal (plist-get params :newContent))
      (ide-companion--take-facts proposal params)
      (ide-companion--draw proposal))
    (ide-companion--set-proposals (append ide-companion--proposals (list proposal)))
    (ide-companion--update-read-only proposal)
    (force-mode-line-update t)
    (if (ide-companion--ahead-p (ide-companion--proposal-agent proposal))
        (run-with-timer ide-companion--ahead-time nil #'ide-companion--offer proposal)
      (ide-companion--offer proposal))
    (ide-companion--event 'ide-companion-diff-opened-functions proposal)
    nil))

(defun ide-companion--close (params)
  "`companion/closeDiff' with PARAMS."
  (let* ((proposal (ide-companion--expect params))
         (text (ide-companion--proposal-text proposal)))
    (when (ide-companion--typing-p proposal)
      (ide-companion--say "%s: %s.  What you typed is kept" (plist-get params :words)
                          (ide-companion--proposal-label proposal)))
    (ide-companion--end proposal)
    (ide-companion--event 'ide-companion-diff-closed-functions proposal)
    (list :content text)))

(defun ide-companion--update (params)
  "`companion/updateDiff' with PARAMS: the file on disk has changed."
  (let* ((proposal (ide-companion--expect params))
         (text (ide-companion--proposal-text proposal))
         (words (append (plist-get params :words) nil))
         (is-news (not (equal (plist-get params :original) (ide-companion--proposal-original proposal))))
         (content (plist-get params :content)))
    (unless (or (ide-companion--proposal-deciding proposal)
                (ide-companion--typing-p proposal)
                (not (equal text (plist-get params :seen))))
      (setf (ide-companion--proposal-original proposal) (plist-get params :original)
            (ide-companion--proposal-notes proposal) (append (plist-get params :notes) nil)
            (ide-companion--proposal-words proposal) words)
      (ide-companion--replace-contents (ide-companion--proposal-base proposal)
                                       (or (plist-get params :original) ""))
      (ide-companion--replace-contents (ide-companion--proposal-buffer proposal) content)
      (with-current-buffer (ide-companion--proposal-buffer proposal)
        (set-buffer-modified-p (not (equal content (plist-get params :newContent)))))
      (setf (ide-companion--proposal-typed-at proposal) 0)
      (ide-companion--take-facts proposal params)
      (ide-companion--draw proposal)
      (when (and words is-news)
        (ide-companion--say "%s" (car words)))
      (force-mode-line-update t))
    (list :content (ide-companion--proposal-text proposal))))

(defun ide-companion--read (params)
  "`companion/readDiff' with PARAMS."
  (list :content (ide-companion--proposal-text (ide-companion--expect params))))

(defun ide-companion--write ()
  "Accept the proposal of this buffer, instead of writing a file.
When the user has named a file to write to, write a copy there."
  (if buffer-file-name
      (ide-companion--write-copy ide-companion--proposal)
    (ide-companion--decide ide-companion--proposal :companion/diffAccepted))
  t)

(defun ide-companion--write-copy (proposal)
  "Write the file that the user has given to the buffer of PROPOSAL.
The buffer then is as before, and visits no file."
  ;; To give it a file has marked it as modified.
  (let ((edited (or (eq t buffer-undo-list) (remq nil buffer-undo-list))))
    (unwind-protect
        (let ((write-contents-functions nil))
          (basic-save-buffer))
      (set-visited-file-name nil)
      (rename-buffer (format "*%s*" (ide-companion--name proposal)) t)
      (setq default-directory (ide-companion--existing-folder (ide-companion--proposal-path proposal)))
      (ide-companion--update-read-only proposal)
      (set-buffer-modified-p (and edited t)))))

(defun ide-companion--on-proposal-killed ()
  "A buffer of a proposal is killed: that rejects it."
  (let* ((proposal ide-companion--proposal)
         (buffers (list (ide-companion--proposal-buffer proposal)
                        (ide-companion--proposal-base proposal))))
    (when (and (memq proposal ide-companion--proposals)
               ;; A clone has this hook too.
               (memq (current-buffer) buffers))
      (cond
       ((ide-companion--proposal-deciding proposal))
       ((not (ide-companion--ready-p))
        (ide-companion--save-edits proposal "The companion has ended."))
       (t
        (ide-companion--decide proposal :companion/diffRejected)))
      (ide-companion--forget proposal)
      (ide-companion--leave proposal)
      (mapc #'kill-buffer (remq (current-buffer) buffers))
      (ide-companion--when-calm #'ide-companion--present-next))))
(put 'ide-companion--on-proposal-killed 'permanent-local-hook t)

(defun ide-companion--orphan ()
  "The program has ended, so no agent waits any more."
  (dolist (proposal (copy-sequence ide-companion--proposals))
    (when (ide-companion--edited-p proposal)
      (ide-companion--save-edits proposal (format "The companion has ended: %s."
                                                  (ide-companion--proposal-label proposal))))
    (ide-companion--end proposal))
  (force-mode-line-update t))

(defun ide-companion--ask-before-exit ()
  "Whether Emacs may exit although proposals wait."
  (or (null ide-companion--proposals)
      (yes-or-no-p
       (format "%s for your decision; exit anyway? "
               (let ((labels (mapcar #'ide-companion--proposal-label ide-companion--proposals)))
                 (if (cdr labels)
                     (format "%d proposals wait" (length labels))
                   (format "A proposal for %s waits" (car labels))))))))

(autoload 'ide-companion-ediff "ide-companion-ediff" nil t)

(defvar ide-companion-proposal-mode-map
  (let ((map (make-sparse-keymap)))
    (define-key map (kbd "C-c C-c") #'ide-companion-accept)
    (define-key map [remap save-buffer] #'ide-companion-accept)
    (define-key map (kbd "C-c C-k") #'ide-companion-reject)
    (define-key map (kbd "C-c C-n") #'ide-companion-next-change)
    (define-key map (kbd "C-c C-p") #'ide-companion-previous-change)
    (define-key map (kbd "C-c C-r") #'ide-companion-revert-change)
    (define-key map (kbd "C-c C-v") #'ide-companion-next-proposal)
    (define-key map (kbd "M-n") #'ide-companion-next-proposal)
    (define-key map (kbd "M-p") #'ide-companion-previous-proposal)
    (define-key map (kbd "C-c C-e") #'ide-companion-ediff)
    (define-key map (kbd "C-c C-o") #'ide-companion-edit)
    (define-key map (kbd "C-c ;") #'ide-companion-comment)
    (define-key map (kbd "C-c C-w") #'ide-companion-say-why)
    (define-key map (kbd "C-c C-a") #'ide-companion-ask-more)
    map)
  "Keys in a proposal.")

(define-minor-mode ide-companion-proposal-mode
  "Keys of a proposal; on in its buffers only."
  :lighter nil
  (when ide-companion-proposal-mode
    (setq header-line-format '(:eval (ide-companion--header)))
    ;; Text between the lines must not stop point.
    (setq-local line-move-visual nil)))
(put 'ide-companion-proposal-mode 'permanent-local t)

(defun ide-companion--keys (command)
  "The keys of COMMAND in a proposal, for people."
  (propertize (substitute-command-keys (format "\\[%s]" command)) 'face 'help-key-binding))

(defun ide-companion--comment-keys (proposal)
  "The number of comments on PROPOSAL, and the keys that send them."
  (let ((count (length (ide-companion--proposal-comments proposal))))
    (if (zerop count) ""
      (format ", with %s: %s, %s" (if (= count 1) "your comment" (format "%d comments" count))
              (ide-companion--keys 'ide-companion-ask-more)
              (ide-companion--keys 'ide-companion-say-why)))))

(defun ide-companion--header ()
  "The line above a proposal, or above the file on disk."
  (let* ((proposal ide-companion--proposal)
         (label (ide-companion--proposal-label proposal))
         (count (length ide-companion--proposals))
         (place (- (1+ count) (length (memq proposal ide-companion--proposals))))
         (notes (string-join (ide-companion--proposal-notes proposal) " "))
         (facts (propertize (string-join (ide-companion--facts proposal) ", ") 'face 'warning))
         (parts
          (cond
           ((not (eq (current-buffer) (ide-companion--proposal-buffer proposal)))
            (list (concat label " on disk") facts notes))
           (t ; the end may be cut
            (list (if (cdr ide-companion--proposals) (format "%d of %d" place count) "")
                  facts
                  (concat (ide-companion--keys 'ide-companion-accept) " accepts, "
                          (ide-companion--keys 'ide-companion-reject) " rejects"
                          (ide-companion--comment-keys proposal))
                  (if (cdr ide-companion--proposals)
                      (concat (ide-companion--keys 'ide-companion-next-proposal) ": next")
                    "")
                  (if (ide-companion--read-only-p proposal)
                      (concat (ide-companion--proposal-read-only-reason proposal)
                              "  " (ide-companion--keys 'ide-companion-edit) ": your own version")
                    "")
                  (propertize (format "%s proposes %s" (ide-companion--proposal-agent proposal) label) 'face 'bold)
                  notes)))))
    (replace-regexp-in-string "%" "%%" (concat " " (string-join (remove "" parts) "  ")) t t)))

(provide 'ide-companion-review)
;;; ide-companion-review.el ends here
