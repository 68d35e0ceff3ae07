;;; fixture.el --- What the tests of ide-companion share -*- lexical-binding: t; -*-

;;; Commentary:

;; A program that only listens, windows of a known size, and waiting for
;; what happens in timers.

;;; Code:

(require 'cl-lib)
(require 'ert)
(require 'ide-companion)
(require 'jsonrpc)
(require 'subr-x)

(defvar ide-companion-test-sent nil "What was sent to the program: (METHOD . PARAMS), oldest first.")
(defvar ide-companion-test-result '(:taken t) "What the program answers to a decision.")
(defvar ide-companion-test-folder nil "A folder of the test's own.")
(defvar ide-companion-test-said nil "The messages to the user, newest first.")

(defun ide-companion-test-until (what)
  "Wait until the function WHAT returns something true, and return that."
  (let ((deadline (+ (float-time) 60)) found)
    (while (not (setq found (funcall what)))
      (when (> (float-time) deadline)
        (ert-fail (list "never true" what 'sent ide-companion-test-sent 'said ide-companion-test-said)))
      (accept-process-output nil 0.01))
    found))

(defun ide-companion-test-settle ()
  "Wait until everything that was put off has been done."
  (ide-companion-test-until
   (lambda ()
     (and (null ide-companion--later)
          (not ide-companion--pending)
          (cl-notany #'ide-companion--proposal-deciding ide-companion--proposals)))))

(defun ide-companion-test-record (method params)
  "Take METHOD with PARAMS as the program would."
  (setq ide-companion-test-sent
        (append ide-companion-test-sent (list (cons method (copy-tree params t))))))

(defun ide-companion-test-sent (method)
  "The parameters of the messages of METHOD, oldest first."
  (mapcar #'cdr (cl-remove method ide-companion-test-sent :key #'car :test-not #'eq)))

(defun ide-companion-test-hunks (old new)
  "Where the text NEW differs from OLD, as the program says it."
  (let ((files (list (make-temp-file "old") (make-temp-file "new")))
        (coding-system-for-write 'utf-8-emacs-unix) (coding-system-for-read 'utf-8-emacs-unix)
        hunks)
    (cl-mapc (lambda (file text)
               (with-temp-buffer
                 (ide-companion--put-text (or text ""))
                 (write-region nil nil file nil 'silent)))
             files (list old new))
    (with-temp-buffer
      (apply #'call-process "diff" nil t nil "-a" files)
      (goto-char (point-min))
      (while (re-search-forward "^\\([0-9]+\\)\\(?:,\\([0-9]+\\)\\)?\\([acd]\\)\\([0-9]+\\)\\(?:,\\([0-9]+\\)\\)?$" nil t)
        (let* ((number (lambda (group other) (string-to-number (or (match-string group) (match-string other)))))
               (kind (match-string 3)) (from (funcall number 1 1)) (line (funcall number 4 4)))
          (push (list :from (if (equal kind "a") (1+ from) from)
                      :removed (if (equal kind "a") 0 (1+ (- (funcall number 2 1) from)))
                      :line (if (equal kind "d") (1+ line) line)
                      :added (if (equal kind "d") 0 (1+ (- (funcall number 5 4) line))))
                hunks))))
    (mapc #'delete-file files)
    (vconcat (nreverse hunks))))

(defvar ide-companion-test-comments nil "The comments on a proposal, as the program has them.")

(defun ide-companion-test-compare (draft)
  "What the program answers to DRAFT."
  (let ((proposal (cl-find (plist-get draft :id) ide-companion--proposals
                           :key #'ide-companion--proposal-id :test #'equal)))
    (list :facts []
          :comments (vconcat ide-companion-test-comments)
          :hunks (ide-companion-test-hunks (and proposal (ide-companion--proposal-original proposal))
                                           (plist-get draft :content)))))

(defun ide-companion-test-comment-on (params)
  "What the program answers to PARAMS of `companion/comment'."
  (let* ((id (or (plist-get params :comment) (number-to-string (1+ (length ide-companion-test-comments)))))
         (others (cl-remove id ide-companion-test-comments :key (lambda (one) (plist-get one :id)) :test #'equal)))
    (setq ide-companion-test-comments
          (if (equal (plist-get params :text) "") others
            (append others
                    (list (append (list :id id)
                                  (mapcan (lambda (key) (list key (plist-get params key)))
                                          '(:side :startLine :endLine :text)))))))
    (list :comments (vconcat ide-companion-test-comments))))

(defvar ide-companion-test-texts nil "What the program says of proposals in its list: (ID . TEXT).")
(defvar ide-companion-test-effects nil "What the program answers to actions: (ACTION . EFFECT).
It asks a question first where that has one.")

(defun ide-companion-test-act (params)
  "What the program answers to PARAMS of `companion/act'."
  (let ((effect (cdr (assoc (plist-get params :action) ide-companion-test-effects))))
    (if (or (plist-get params :sure) (not (plist-get effect :ask)))
        (append '(:ask nil) effect)
      (list :ask (plist-get effect :ask)))))

(defvar ide-companion-test-answers nil "What else the program answers: (METHOD . FUNCTION).")

(defun ide-companion-test-answer (method params)
  "What the program answers to METHOD with PARAMS."
  (pcase (cons method (plist-get params :list))
    ((guard (alist-get method ide-companion-test-answers))
     (funcall (alist-get method ide-companion-test-answers) params))
    (`(:companion/draft) (ide-companion-test-compare params))
    (`(:companion/comment) (ide-companion-test-comment-on params))
    (`(:companion/act . ,_) (ide-companion-test-act params))
    ('(:companion/list . "waiting")
     (list :none "No proposal waits for you."
           :rows (vconcat (mapcar (pcase-lambda (`(,id . ,text))
                                    (list :id id :label (concat id ".js") :agent "Gemini CLI" :at 0 :text text
                                          :actions [(:code "accept" :name "accepts") (:code "reject" :name "rejects")
                                                    (:code "accept-agent" :name "accepts its agent's")
                                                    (:code "accept-ahead" :name "accepts its turn")]))
                                  ide-companion-test-texts))))
    (_ ide-companion-test-result)))

(defun ide-companion-test-update (&rest params)
  "`companion/updateDiff' with PARAMS."
  (ide-companion--update
   (append params (list :hunks (ide-companion-test-hunks (plist-get params :original)
                                                         (plist-get params :content))))))

(defun ide-companion-test-call (body)
  "Call the function BODY in an Emacs of which nothing is left afterwards."
  (let ((ide-companion-test-sent nil)
        (ide-companion-test-texts nil)
        (ide-companion-test-effects nil)
        (ide-companion-test-comments nil)
        (ide-companion-test-said nil)
        (ide-companion-test-folder (file-name-as-directory (make-temp-file "ide-companion-test-" t)))
        (ide-companion--libraries nil)
        (kill-ring nil)
        (before (buffer-list))
        (inhibit-message t))
    (set-frame-size nil 120 40)
    (delete-other-windows)
    (switch-to-buffer "*scratch*")
    (cl-letf (((symbol-function 'ide-companion--ready-p) #'always)
              ((symbol-function 'ide-companion--notify) #'ide-companion-test-record)
              ((symbol-function 'ide-companion--ask)
               (lambda (method params on-answer)
                 (ide-companion-test-record method params)
                 (run-with-timer 0 nil on-answer (ide-companion-test-answer method params) nil)))
              ((symbol-function 'ide-companion--fetch)
               (lambda (method params)
                 (ide-companion-test-record method params)
                 (ide-companion-test-answer method params)))
              ((symbol-function 'message)
               (lambda (format &rest arguments)
                 (push (apply #'format-message format arguments) ide-companion-test-said))))
      (unwind-protect
          (funcall body)
        (ide-companion-test-tidy before)))
    (delete-directory ide-companion-test-folder t)))

(defun ide-companion-test-tidy (before)
  "Leave nothing but the buffers BEFORE."
  (setq this-command nil
        ide-companion--proposals nil
        ide-companion--later nil
        ide-companion--pending nil
        ide-companion--sent nil
        ide-companion--active nil
        ide-companion--roots nil
        ide-companion--status nil)
  (dolist (buffer (cl-set-difference (buffer-list) before))
    (when (buffer-live-p buffer)
      (with-current-buffer buffer
        (set-buffer-modified-p nil)
        (ide-companion-test-end-process))
      (kill-buffer buffer))))

(defun ide-companion-test-end-process ()
  "End the process of the current buffer, if any, before its buffer."
  (let ((process (get-buffer-process (current-buffer))))
    (when process
      ;; That of `diff-buffers' selects its buffer.
      (set-process-sentinel process #'ignore)
      (delete-process process))))

(defmacro ide-companion-deftest (name &rest body)
  "Define the test NAME, which is a sentence, as BODY."
  (declare (indent 1))
  `(ert-deftest ,(intern (concat "ide-companion: " name)) ()
     (ide-companion-test-call (lambda () ,@body))))

(defun ide-companion-test-file (name content)
  "A file NAME with CONTENT in a folder of the test's own."
  (let ((path (expand-file-name name ide-companion-test-folder))
        (coding-system-for-write 'no-conversion))
    (make-directory (file-name-directory path) t)
    (write-region content nil path nil 'silent)
    path))

(defun ide-companion-test-propose (&rest fields)
  "Let a proposal come, with FIELDS other than usual, and return it.
It is shown when this returns."
  (let ((params (append fields
                        (list :id "1" :agent "Gemini CLI" :filePath "/app/main.js" :label "main.js"
                              :newContent "one\n2\nthree\n" :original "one\ntwo\nthree\n" :notes []))))
    (ide-companion--open
     (append params (list :hunks (ide-companion-test-hunks (plist-get params :original)
                                                           (plist-get params :newContent))))))
  (ide-companion-test-settle)
  (car (last ide-companion--proposals)))

(defun ide-companion-test-keys (keys)
  "Type KEYS, as `kbd' reads them, and wait until their work is done."
  (execute-kbd-macro (kbd keys))
  (setq this-command nil) ; as the command loop does when it waits for the next key
  (ide-companion-test-settle))

(defun ide-companion-test-layout ()
  "What each window shows, from left to right and from above."
  (mapcar (lambda (window) (buffer-name (window-buffer window)))
          (window-list nil nil (frame-first-window))))

(defun ide-companion-test-accepted ()
  "The texts that were accepted."
  (mapcar (lambda (params) (plist-get params :content))
          (ide-companion-test-sent :companion/diffAccepted)))

(defun ide-companion-test-rejected ()
  "The ids of what was rejected."
  (mapcar (lambda (params) (plist-get params :id))
          (ide-companion-test-sent :companion/diffRejected)))

(defun ide-companion-test-shown ()
  "The current buffer as it is seen, with what overlays add."
  (let ((text ""))
    (save-excursion
      (goto-char (point-min))
      (while (progn
               (dolist (overlay (overlays-in (point) (point)))
                 (when (= (point) (overlay-start overlay))
                   (setq text (concat text (overlay-get overlay 'before-string)))))
               (dolist (overlay (overlays-in (1- (point)) (1+ (point))))
                 (when (= (point) (overlay-end overlay))
                   (setq text (concat text (overlay-get overlay 'after-string)))))
               (not (eobp)))
        (setq text (concat text (string (char-after))))
        (forward-char)))
    (substring-no-properties text)))

(provide 'fixture)
;;; fixture.el ends here
